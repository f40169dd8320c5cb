import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let spentThings: [Self] = [
        Self("What was spent is refused by its kind, and nothing of that sign-in is written") { store async throws in
            for kind in [Spent.Kind.challenge, .nonce, .identityToken, .code] {
                let spent = Spent.sample(kind)
                let first = try await store.signIn(.sample(spent: [spent]))
                try await store.keepName(.sample())

                let fresh = Spent.sample(.code)
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
        },
        Self("The first spent thing of several is the one named") { store async throws in
            let (nonce, token) = (Spent.sample(.nonce), Spent.sample(.identityToken))
            _ = try await store.signIn(.sample(spent: [token, nonce]))
            let both = SignInRecord.sample(spent: [.sample(.code), nonce, token])
            #expect(await expectError(.alreadyUsed) { _ = try await store.signIn(both) }?.spent == .nonce)
            #expect(try await store.firstUsed(among: both.spent, at: .start) == .nonce)
        },
        Self("A new person's refused sign-in leaves no account behind") { store async throws in
            let spent = Spent.sample()
            _ = try await store.signIn(.sample(.sample("someone"), spent: [spent]))
            await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(.sample("new"), spent: [spent])) }
            #expect(try await store.signIn(.sample(.sample("new"))).isNewAccount)
        },
        Self("The same hash of another kind is another thing") { store async throws in
            let hash = TokenHash.sample()
            for kind in [Spent.Kind.challenge, .nonce, .identityToken, .code] {
                let spent = Spent(kind: kind, hash: hash, expiresAt: .start + .minutes(11))
                #expect(try await store.firstUsed(among: [spent], at: .start) == nil)
                _ = try await store.signIn(.sample(spent: [spent]))
            }
        },
        Self("A note that has expired is taken over, with the new expiry") { store async throws in
            var spent = Spent.sample(expiresAt: .start + .minutes(11))
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
        },
    ]
}
