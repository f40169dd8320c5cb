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
            let used = UsedCredential.sample(kind)
            let first = try await store.signIn(.sample(used: [used]))
            try await store.keepPendingProfile(.sample())

            let fresh = UsedCredential.sample(.code)
            let replay = SignInRecord.sample(
                .sample(email: "other@example.com"), used: [fresh, used], name: try .sample("Mallory"),
                formerSession: first.session.id)
            let error = await expectError(.alreadyUsed) { _ = try await store.signIn(replay) }
            #expect(error?.used == kind)

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
        _ = try await store.signIn(.sample(used: [token, nonce]))
        let both = SignInRecord.sample(used: [.sample(.code), nonce, token])
        #expect(await expectError(.alreadyUsed) { _ = try await store.signIn(both) }?.used == .nonce)
        #expect(try await store.firstUsed(among: both.used, at: .start) == .nonce)
    }

    @Test("A new person's refused sign-in leaves no account behind")
    func newPerson() async throws {
        let store = try await Engine.current.store()
        let used = UsedCredential.sample()
        _ = try await store.signIn(.sample(.sample("someone"), used: [used]))
        await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(.sample("new"), used: [used])) }
        #expect(try await store.signIn(.sample(.sample("new"))).isNewAccount)
    }

    @Test("The same hash of another kind is another credential")
    func otherKind() async throws {
        let store = try await Engine.current.store()
        let hash = TokenHash.sample()
        for kind in [UsedCredential.Kind.challenge, .nonce, .identityToken, .code] {
            let used = UsedCredential(kind: kind, hash: hash, expiresAt: .start + .minutes(11))
            #expect(try await store.firstUsed(among: [used], at: .start) == nil)
            _ = try await store.signIn(.sample(used: [used]))
        }
    }

    @Test("A note of use that has expired is replaced, with the new expiry")
    func expired() async throws {
        let store = try await Engine.current.store()
        var used = UsedCredential.sample(expiresAt: .start + .minutes(11))
        _ = try await store.signIn(.sample(used: [used]))
        let last = Timestamp(microseconds: used.expiresAt.microseconds - 1)
        await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(at: last, used: [used])) }
        #expect(try await store.firstUsed(among: [used], at: last) == .identityToken)
        #expect(try await store.firstUsed(among: [used], at: used.expiresAt) == nil)

        let later = used.expiresAt
        used.expiresAt = later + .minutes(11)
        _ = try await store.signIn(.sample(at: later, used: [used]))
        let again = SignInRecord.sample(at: later + .minutes(10), used: [used])
        await expectError(.alreadyUsed) { _ = try await store.signIn(again) }
    }
}
