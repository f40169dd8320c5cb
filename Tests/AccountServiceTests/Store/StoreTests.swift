import AccountEngines
import AccountService
import Testing

@Suite("The owner of a store", .eachDatabase)
struct OwnershipTests {
    @Test("The first claim decides for good which Apple the database belongs to")
    func firstClaim() async throws {
        let store = try await Engine.current.store()
        #expect(try await store.bind(toIssuer: "apple") == "apple")
        #expect(try await store.bind(toIssuer: "http://127.0.0.1:4010") == "apple")
        #expect(try await store.bind(toIssuer: "apple") == "apple")
    }

    @Test("Servers that claim a database at once agree")
    func claimsAtOnce() async throws {
        let store = try await Engine.current.store()
        let owners = try await atOnce(20) { try await store.bind(toIssuer: "http://127.0.0.1:\(4_000 + $0)") }
        #expect(Set(owners).count == 1)
    }

    @Test("A working database is reported as ready")
    func isReady() async throws {
        let store = try await Engine.current.store()
        try await store.check()
    }
}

@Suite("Texts in the store", .eachDatabase)
struct TextTests {
    @Test("Texts are read back as they were written, in every script")
    func scripts() async throws {
        let store = try await Engine.current.store()
        for nonce in ["O'Hara \"; DROP TABLE accounts; --", "ジョニー🍏\u{200D}", "%_\\ ?1 $1 :a", "\u{FFFD}\u{1}"] {
            let attempt = Attempt.sample(nonce: nonce)
            try await store.insertAttempt(attempt)
            #expect(try await store.takeAttempt(attempt.stateHash)?.nonce == nonce)
        }
    }

    @Test("A text with U+0000 is refused, and nothing is written")
    func nullCharacter() async throws {
        let store = try await Engine.current.store()
        let attempt = Attempt.sample(nonce: "a nonce with \u{0} in it")
        await expectError(.invalidText) { try await store.insertAttempt(attempt) }
        #expect(try await store.takeAttempt(attempt.stateHash) == nil)

        let record = SignInRecord.sample(.sample(email: "johnny\u{0}@example.com"))
        await expectError(.invalidText) { _ = try await store.signIn(record) }
        #expect(try await store.session(record.session.id) == nil)
        #expect(try await store.firstUsed(among: record.used, at: record.at) == nil)
    }
}

@Suite("Callers that are cancelled", .eachDatabase)
struct CancellationTests {
    @Test("A cancelled caller's write is done all the same")
    func write() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample()
        let outcome = try await cancelled { try await store.signIn(record) }
        #expect(try await store.session(record.session.id)?.session == outcome.session)
    }

    @Test("A cancelled caller gets the result of its read")
    func read() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample()
        _ = try await store.signIn(record)
        let found = try await cancelled { try await store.session(record.session.id) }
        #expect(found?.session.id == record.session.id)
    }

    @Test("Cancelled callers among many lose nothing")
    func many() async throws {
        let store = try await Engine.current.store()
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
    }
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
