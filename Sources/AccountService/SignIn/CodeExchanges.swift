import Synchronization

/// The exchanges of codes that came without anything to prove them, as many as may be under way at once: each waits for
/// Apple, and anybody can ask for one.
final class CodeExchanges: Sendable {
    static let limit = 32
    /// Apple answers within seconds.
    static let retryAfter: Duration = .seconds(5)

    private let running = Mutex(0)

    /// - Throws: ``AccountError/Code/rateLimited``, without waiting, when there are too many.
    func perform<Result: Sendable>(_ exchange: () async throws -> Result) async throws -> Result {
        let isFree = running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard isFree else {
            throw AccountError(
                .rateLimited, "too many codes are being exchanged at once", retryAfter: Self.retryAfter)
        }
        defer { running.withLock { $0 -= 1 } }
        return try await exchange()
    }
}
