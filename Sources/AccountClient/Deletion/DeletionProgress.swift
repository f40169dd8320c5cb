/// How far a deletion is, as ``AccountClient/progress(of:)`` tells it: first what is known, then each change, until it
/// is over.
public struct DeletionProgress: AsyncSequence, Sendable {
    public typealias Element = AccountDeletion

    let core: ClientCore
    let first: AccountDeletion

    public func makeAsyncIterator() -> Iterator {
        Iterator(core: core, first: first)
    }

    /// Throws ``AccountClientError``: `cancelled`, `refused`, `invalidResponse`.
    public struct Iterator: AsyncIteratorProtocol {
        private let core: ClientCore
        private let first: AccountDeletion
        private var latest: AccountDeletion?
        private var pause = Duration.seconds(1)

        private static let longestPause = Duration.seconds(300)

        init(core: ClientCore, first: AccountDeletion) {
            self.core = core
            self.first = first
        }

        public mutating func next() async throws -> AccountDeletion? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AccountDeletion? {
            guard let latest else {
                self.latest = first
                return first
            }
            guard !latest.isOver else { return nil }
            while true {
                do {
                    try await core.environment.sleep(pause)
                } catch {
                    throw AccountClientError(.cancelled, "nobody follows the deletion any more")
                }
                pause = Swift.min(pause * 2, Self.longestPause)
                do {
                    let now = try await core.deletion(first.handle)
                    guard now == latest else {
                        self.latest = now
                        return now
                    }
                } catch let error as AccountClientError where error.code == .backendUnavailable {
                    // It goes on there all the same.
                }
            }
        }
    }
}
