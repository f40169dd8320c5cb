/// Wakes this process's worker: entries may be there. Signals that come while one of its lanes works are one.
struct OutboxSignal: Sendable {
    private let codes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let others = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// For the one task that works on a lane.
    func signals(for lane: OutboxLease.Lane) -> AsyncStream<Void> {
        lane == .codes ? codes.stream : others.stream
    }

    func wake() {
        codes.continuation.yield()
        others.continuation.yield()
    }
}
