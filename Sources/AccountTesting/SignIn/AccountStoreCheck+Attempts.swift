import AccountService
import Testing

extension AccountStoreCheck {
    static let attempts: [Self] = [
        Self("An attempt comes back whole, once") { store async throws in
            let attempt = Attempt.sample()
            try await store.insertAttempt(attempt)
            #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
            #expect(try await store.takeAttempt(attempt.stateHash) == nil)
        },
        Self("An unknown state takes no attempt") { store async throws in
            let attempt = Attempt.sample()
            try await store.insertAttempt(attempt)
            #expect(try await store.takeAttempt(attempt.browserHash) == nil)
            #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
        },
        Self("An attempt past its time is still given, for the caller to judge") { store async throws in
            let attempt = Attempt.sample(createdAt: .start - .days(9), expiresAt: .start - .days(8))
            try await store.insertAttempt(attempt)
            #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
        },
        Self("Of fifty who take one attempt, one gets it") { store async throws in
            let attempt = Attempt.sample()
            try await store.insertAttempt(attempt)
            let taken = try await atOnce(50) { _ in try await store.takeAttempt(attempt.stateHash) }
            #expect(taken.compactMap(\.self) == [attempt])
        },
    ]
}
