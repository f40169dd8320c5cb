/// The states of an ``AccountClient``, the present one first, then each that follows.
///
/// The latest wins: nothing is buffered, so a slow consumer misses what was overtaken. It ends when the client is
/// released; it does not keep the client alive.
public struct SessionStates: AsyncSequence, Sendable {
    public typealias Element = SessionState
    public typealias Failure = Never

    let core: ClientCore

    public func makeAsyncIterator() -> Iterator {
        Iterator(core: core)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let core: ClientCore
        private var seen = 0

        init(core: ClientCore) {
            self.core = core
        }

        public mutating func next() async -> SessionState? {
            await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> SessionState? {
            if seen == 0 { _ = await core.state() }
            guard let (state, version) = await core.states.next(after: seen) else { return nil }
            seen = version
            return state
        }
    }
}
