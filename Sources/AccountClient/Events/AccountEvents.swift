/// The events of an account, as ``AccountClient/events(after:)`` follows them.
public struct AccountEvents: AsyncSequence, Sendable {
    public typealias Element = AccountEvent

    let core: ClientCore
    let last: AccountEvent.ID?

    public func makeAsyncIterator() -> Iterator {
        Iterator(follower: EventFollower(core: core, last: last))
    }

    /// Throws ``AccountClientError``.
    public struct Iterator: AsyncIteratorProtocol {
        private var follower: EventFollower

        init(follower: EventFollower) {
            self.follower = follower
        }

        public mutating func next() async throws -> AccountEvent? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AccountEvent? {
            try await follower.next()
        }
    }
}
