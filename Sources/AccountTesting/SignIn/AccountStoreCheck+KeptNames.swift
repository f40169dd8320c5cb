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
        Self("A kept name is one person's of one team") { store async throws in
            try await store.keepName(.sample())
            #expect(try await store.signIn(.sample(.sample("someone.else"))).account.name == nil)
            #expect(try await store.signIn(.sample(.sample(team: "TEAM000002"))).account.name == nil)
            #expect(try await store.signIn(.sample()).account.name?.givenName == "Kept")
        },
    ]
}
