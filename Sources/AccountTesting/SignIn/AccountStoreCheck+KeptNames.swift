import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let keptNames: [Self] = [
        Self("A kept name becomes the account's at the next sign-in, once") { store async throws in
            try await store.keepName(.sample("First"))
            try await store.keepName(.sample("Second"))
            let first = try await store.signIn(.sample())
            #expect(first.account.name?.givenName == "Second", "a later name is kept in place of an earlier one")
            let renamed = try await store.signIn(.sample(name: .sample("Typed")))
            #expect(renamed.account.name?.givenName == "Typed")
            let last = try await store.signIn(.sample())
            #expect(last.account.name?.givenName == "Typed", "the kept name was used up")
        },
        Self("The name of the sign-in itself goes before a kept one, and uses it up") { store async throws in
            try await store.keepName(.sample())
            #expect(try await store.signIn(.sample(name: .sample("Typed"))).account.name?.givenName == "Typed")
            #expect(try await store.signIn(.sample()).account.name?.givenName == "Typed")
        },
        Self("A kept name past its time is not used, and goes") { store async throws in
            try await store.keepName(.sample(expiresAt: .start))
            #expect(try await store.signIn(.sample(at: .start)).account.name == nil)
            let earlier = try await store.signIn(.sample(at: .start - .seconds(1)))
            #expect(earlier.account.name == nil, "the kept name was used up")
        },
        Self("A kept name that does not open leaves the stored name") { store async throws in
            _ = try await store.signIn(.sample(name: .sample("Stored")))
            try await store.keepName(
                KeptName(team: "TEAM000001", subject: "001999.person", sealed: [0xFF], expiresAt: .start + .days(1)))
            #expect(try await store.signIn(.sample()).account.name?.givenName == "Stored")
        },
        Self("A first name is kept once, with its token, and never in place of another name") { store async throws in
            let token = Spent.sample()
            let first = KeptName.sample("First")
            #expect(try await store.keepFirstName(first, spending: [token], at: .start))
            #expect(try await store.firstUsed(among: [token], at: .start) == .identityToken)
            let other = Spent.sample()
            #expect(try await !store.keepFirstName(.sample("Second"), spending: [other], at: .start))
            #expect(try await store.firstUsed(among: [other], at: .start) == nil)
            #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
            #expect(try await !store.keepFirstName(.sample("Third"), spending: [other], at: .start))
            #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
        },
        Self("A first name is kept for an account without a name, and in place of an expired one") {
            store async throws in
            _ = try await store.signIn(.sample())
            try await store.keepName(.sample("Expired", expiresAt: .start))
            let token = Spent.sample()
            #expect(try await store.keepFirstName(.sample("First"), spending: [token], at: .start))
            #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
        },
        Self("A token that was used before keeps no name") { store async throws in
            let record = SignInRecord.sample()
            _ = try await store.signIn(record)
            await expectError(.alreadyUsed) {
                _ = try await store.keepFirstName(.sample("First"), spending: record.spent, at: .start)
            }
            #expect(try await store.signIn(.sample()).account.name == nil)
        },
        Self("Of twenty first names at once one is kept") { store async throws in
            let kept = try await atOnce(20) { index in
                try await store.keepFirstName(.sample("Name \(index)"), spending: [.sample()], at: .start)
            }
            #expect(kept.count { $0 } == 1)
        },
        Self("A kept name is one person's of one team") { store async throws in
            try await store.keepName(.sample())
            #expect(try await store.signIn(.sample(.sample("someone.else"))).account.name == nil)
            #expect(try await store.signIn(.sample(.sample(team: "TEAM000002"))).account.name == nil)
            #expect(try await store.signIn(.sample()).account.name?.givenName == "Kept")
        },
    ]
}
