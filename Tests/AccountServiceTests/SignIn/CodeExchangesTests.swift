import Testing

@testable import AccountService

@Suite("Exchanges of codes")
struct CodeExchangesTests {
    @Test("are refused above a limit of concurrent ones, until one ends with success or failure")
    func limit() async throws {
        struct Refused: Error {}
        let exchanges = CodeExchanges()
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (ended, ending) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<CodeExchanges.limit {
                group.addTask {
                    try await exchanges.perform {
                        beginning.yield()
                        // Ends with the stream, or, for the first, at once.
                        guard index > 0 else { throw Refused() }
                        for await _ in ended {}
                    }
                }
            }
            var waiting = begun.makeAsyncIterator()
            for _ in 0..<CodeExchanges.limit { _ = await waiting.next() }
            await #expect(throws: Refused.self) { try await group.next() }
            group.addTask {
                try await exchanges.perform {
                    beginning.yield()
                    for await _ in ended {}
                }
            }
            _ = await waiting.next()
            let error = await #expect(throws: AccountError.self) { try await exchanges.perform {} }
            #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(5))
            ending.finish()
            try await group.waitForAll()
        }
        try await exchanges.perform {}
    }
}
