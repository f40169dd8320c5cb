import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Attempts of browsers", .eachDatabase)
struct AttemptTests {
    @Test("An attempt is read back whole, once")
    func once() async throws {
        let store = try await Engine.current.store()
        let attempt = Attempt.sample()
        try await store.insertAttempt(attempt)
        #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
        #expect(try await store.takeAttempt(attempt.stateHash) == nil)
    }

    @Test("An unknown state takes no attempt")
    func unknown() async throws {
        let store = try await Engine.current.store()
        let attempt = Attempt.sample()
        try await store.insertAttempt(attempt)
        #expect(try await store.takeAttempt(attempt.browserHash) == nil)
        #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
    }

    @Test("An expired attempt is still returned, and the caller decides")
    func expired() async throws {
        let store = try await Engine.current.store()
        let attempt = Attempt.sample(createdAt: .start - .days(9), expiresAt: .start - .days(8))
        try await store.insertAttempt(attempt)
        #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
    }

    @Test("If fifty requests take one attempt, one gets it")
    func takenByFifty() async throws {
        let store = try await Engine.current.store()
        let attempt = Attempt.sample()
        try await store.insertAttempt(attempt)
        let taken = try await atOnce(50) { _ in try await store.takeAttempt(attempt.stateHash) }
        #expect(taken.compactMap(\.self) == [attempt])
    }
}

@Suite("Credentials of a single use", .eachDatabase)
struct SingleUseTests {
    @Test("A used credential is refused by its kind, and its sign-in writes nothing")
    func refused() async throws {
        let store = try await Engine.current.store()
        for kind in [UsedCredential.Kind.challenge, .nonce, .identityToken, .code] {
            let spent = UsedCredential.sample(kind)
            let first = try await store.signIn(.sample(spent: [spent]))
            try await store.keepPendingProfile(.sample())

            let fresh = UsedCredential.sample(.code)
            let replay = SignInRecord.sample(
                .sample(email: "other@example.com"), spent: [fresh, spent], name: try .sample("Mallory"),
                formerSession: first.session.id)
            let error = await expectError(.alreadyUsed) { _ = try await store.signIn(replay) }
            #expect(error?.spent == kind)

            #expect(try await store.session(replay.session.id) == nil)
            let former = try #require(await store.session(first.session.id))
            #expect(former.ended == nil)
            #expect(former.account.email == "johnny@example.com")
            #expect(try await store.firstUsed(among: [fresh], at: .start) == nil)
            let next = try await store.signIn(.sample())
            #expect(next.account.name?.givenName == "Kept", "the kept name was not used up")
        }
    }

    @Test("If several credentials were used before, the first is named")
    func firstOfSeveral() async throws {
        let store = try await Engine.current.store()
        let (nonce, token) = (UsedCredential.sample(.nonce), UsedCredential.sample(.identityToken))
        _ = try await store.signIn(.sample(spent: [token, nonce]))
        let both = SignInRecord.sample(spent: [.sample(.code), nonce, token])
        #expect(await expectError(.alreadyUsed) { _ = try await store.signIn(both) }?.spent == .nonce)
        #expect(try await store.firstUsed(among: both.spent, at: .start) == .nonce)
    }

    @Test("A new person's refused sign-in leaves no account behind")
    func newPerson() async throws {
        let store = try await Engine.current.store()
        let spent = UsedCredential.sample()
        _ = try await store.signIn(.sample(.sample("someone"), spent: [spent]))
        await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(.sample("new"), spent: [spent])) }
        #expect(try await store.signIn(.sample(.sample("new"))).isNewAccount)
    }

    @Test("The same hash of another kind is another credential")
    func otherKind() async throws {
        let store = try await Engine.current.store()
        let hash = TokenHash.sample()
        for kind in [UsedCredential.Kind.challenge, .nonce, .identityToken, .code] {
            let spent = UsedCredential(kind: kind, hash: hash, expiresAt: .start + .minutes(11))
            #expect(try await store.firstUsed(among: [spent], at: .start) == nil)
            _ = try await store.signIn(.sample(spent: [spent]))
        }
    }

    @Test("A note of use that has expired is replaced, with the new expiry")
    func expired() async throws {
        let store = try await Engine.current.store()
        var spent = UsedCredential.sample(expiresAt: .start + .minutes(11))
        _ = try await store.signIn(.sample(spent: [spent]))
        let last = Timestamp(microseconds: spent.expiresAt.microseconds - 1)
        await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(at: last, spent: [spent])) }
        #expect(try await store.firstUsed(among: [spent], at: last) == .identityToken)
        #expect(try await store.firstUsed(among: [spent], at: spent.expiresAt) == nil)

        let later = spent.expiresAt
        spent.expiresAt = later + .minutes(11)
        _ = try await store.signIn(.sample(at: later, spent: [spent]))
        let again = SignInRecord.sample(at: later + .minutes(10), spent: [spent])
        await expectError(.alreadyUsed) { _ = try await store.signIn(again) }
    }
}
