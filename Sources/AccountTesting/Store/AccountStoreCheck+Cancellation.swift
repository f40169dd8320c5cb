import AccountService
import Testing

extension AccountStoreCheck {
    static let cancellation: [Self] = [
        Self("A cancelled caller's writing is done all the same") { store async throws in
            let record = SignInRecord.sample()
            let outcome = try await cancelled { try await store.signIn(record) }
            #expect(try await store.session(record.session.id)?.session == outcome.session)
        },
        Self("A cancelled caller gets what it reads") { store async throws in
            let record = SignInRecord.sample()
            _ = try await store.signIn(record)
            let found = try await cancelled { try await store.session(record.session.id) }
            #expect(found?.session.id == record.session.id)
        },
        Self("Cancelled callers among many lose nothing") { store async throws in
            let attempts = (0..<40).map { _ in Attempt.sample() }
            _ = try await atOnce(attempts.count) { index in
                if index.isMultiple(of: 2) {
                    try await cancelled { try await store.insertAttempt(attempts[index]) }
                } else {
                    try await store.insertAttempt(attempts[index])
                }
            }
            for attempt in attempts {
                #expect(try await store.takeAttempt(attempt.stateHash) == attempt)
            }
        },
    ]
}

/// Runs the work in a task that has been cancelled before it begins.
private func cancelled<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await work()
    }
    task.cancel()
    return try await task.value
}
