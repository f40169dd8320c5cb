/// Wakes this process's worker: entries may be there. Signals that come while it works are one.
struct OutboxSignal: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func wake() {
        continuation.yield()
    }
}
