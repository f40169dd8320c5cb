import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Names that are kept", .eachDatabase)
struct PendingProfileTests {
    @Test("A kept name becomes the account's at the next sign-in, once")
    func once() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample("First"))
        try await store.keepPendingProfile(.sample("Second"))
        let first = try await store.signIn(.sample())
        #expect(first.account.name?.givenName == "Second", "a later name is kept in place of an earlier one")
        let renamed = try await store.signIn(.sample(name: .sample("Typed")))
        #expect(renamed.account.name?.givenName == "Typed")
        let last = try await store.signIn(.sample())
        #expect(last.account.name?.givenName == "Typed", "the kept name was used up")
    }

    @Test("The name in a sign-in takes precedence over a kept one and uses it up")
    func nameOfSignIn() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample())
        #expect(try await store.signIn(.sample(name: .sample("Typed"))).account.name?.givenName == "Typed")
        #expect(try await store.signIn(.sample()).account.name?.givenName == "Typed")
    }

    @Test("An expired kept name isn't used and is removed")
    func expired() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample(expiresAt: .start))
        #expect(try await store.signIn(.sample(at: .start)).account.name == nil)
        let earlier = try await store.signIn(.sample(at: .start - .seconds(1)))
        #expect(earlier.account.name == nil, "the kept name was used up")
    }

    @Test("A kept name that can't be opened leaves the stored name")
    func unreadable() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample(name: .sample("Stored")))
        try await store.keepPendingProfile(
            PendingProfile(team: "TEAM000001", subject: "001999.person", sealed: [0xFF], expiresAt: .start + .days(1)))
        #expect(try await store.signIn(.sample()).account.name?.givenName == "Stored")
    }

    @Test("A first name is kept once, with its token, and never replaces another name")
    func firstNameOnce() async throws {
        let store = try await Engine.current.store()
        let token = UsedCredential.sample()
        let first = PendingProfile.sample("First")
        #expect(try await store.keepPendingProfileIfNameless(first, spending: [token], at: .start))
        #expect(try await store.firstUsed(among: [token], at: .start) == .identityToken)
        let other = UsedCredential.sample()
        #expect(try await !store.keepPendingProfileIfNameless(.sample("Second"), spending: [other], at: .start))
        #expect(try await store.firstUsed(among: [other], at: .start) == nil)
        #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
        #expect(try await !store.keepPendingProfileIfNameless(.sample("Third"), spending: [other], at: .start))
        #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
    }

    @Test("A first name is kept for an account without a name, and replaces an expired one")
    func withoutName() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        try await store.keepPendingProfile(.sample("Expired", expiresAt: .start))
        let token = UsedCredential.sample()
        #expect(try await store.keepPendingProfileIfNameless(.sample("First"), spending: [token], at: .start))
        #expect(try await store.signIn(.sample()).account.name?.givenName == "First")
    }

    @Test("A used token keeps no name")
    func usedToken() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample()
        _ = try await store.signIn(record)
        await expectError(.alreadyUsed) {
            _ = try await store.keepPendingProfileIfNameless(.sample("First"), spending: record.used, at: .start)
        }
        #expect(try await store.signIn(.sample()).account.name == nil)
    }

    @Test("If twenty first names come at once, one is kept")
    func twentyAtOnce() async throws {
        let store = try await Engine.current.store()
        let kept = try await atOnce(20) { index in
            try await store.keepPendingProfileIfNameless(.sample("Name \(index)"), spending: [.sample()], at: .start)
        }
        #expect(kept.count { $0 } == 1)
    }

    @Test("A kept name belongs to one person of one team")
    func ofOnePerson() async throws {
        let store = try await Engine.current.store()
        try await store.keepPendingProfile(.sample())
        #expect(try await store.signIn(.sample(.sample("someone.else"))).account.name == nil)
        #expect(try await store.signIn(.sample(.sample(team: "TEAM000002"))).account.name == nil)
        #expect(try await store.signIn(.sample()).account.name?.givenName == "Kept")
    }
}
