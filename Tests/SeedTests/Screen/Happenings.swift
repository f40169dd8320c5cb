import Testing

/// The events of the code under test, in order. A test waits for the next one, never for time.
struct Happenings<Event: Sendable>: Sendable {
    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func note(_ event: Event) {
        continuation.yield(event)
    }

    func next() async throws -> Event {
        var iterator = stream.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

extension Happenings where Event: Equatable {
    func expect(_ expected: Event, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let event = try await next()
        #expect(event == expected, sourceLocation: sourceLocation)
    }

    /// For what the whole process can set off, such as a notification: others may come before.
    func wait(for expected: Event) async throws {
        while try await next() != expected {}
    }
}
