import AccountService
import Testing

extension AccountStoreCheck {
    static let texts: [Self] = [
        Self("Texts come back as they went in, whatever script and signs they hold") { store async throws in
            for nonce in ["O'Hara \"; DROP TABLE accounts; --", "ジョニー🍏\u{200D}", "%_\\ ?1 $1 :a", "\u{FFFD}\u{1}"] {
                let attempt = Attempt.sample(nonce: nonce)
                try await store.insertAttempt(attempt)
                #expect(try await store.takeAttempt(attempt.stateHash)?.nonce == nonce)
            }
        },
        Self("A text with U+0000 is refused, and nothing is written") { store async throws in
            let attempt = Attempt.sample(nonce: "a nonce with \u{0} in it")
            await expectError(.invalidText) { try await store.insertAttempt(attempt) }
            #expect(try await store.takeAttempt(attempt.stateHash) == nil)

            let record = SignInRecord.sample(.sample(email: "johnny\u{0}@example.com"))
            await expectError(.invalidText) { _ = try await store.signIn(record) }
            #expect(try await store.session(record.session.id) == nil)
            #expect(try await store.firstUsed(among: record.spent, at: record.at) == nil)
        },
    ]
}
