/// The rule for asking Apple again when it gave no answer, or one with a 5xx status.
///
/// Only requests that may arrive twice are repeated: refreshes, revocations and those of a transfer. A request with an
/// authorization code is never repeated, because the code may be spent although no answer came. A request that Apple
/// throttles (429) isn't repeated here either.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of requests; one means that no request is repeated.
    public var maximumAttempts: Int
    /// The delay before the second request.
    ///
    /// Each further delay is twice as long, up to ``maximumDelay``. A random part of up to a half of each delay is left
    /// out, so that many servers do not come back at once.
    public var firstDelay: Duration
    /// The maximum delay.
    public var maximumDelay: Duration
    /// The time after the first request began in which another may begin.
    ///
    /// The transport bounds each request (to ten seconds with `AsyncHTTPTransport`), so a call takes at most this time
    /// and one request more.
    public var timeLimit: Duration

    /// Creates a policy of your own; ``standard`` and ``never`` are the usual ones.
    public init(maximumAttempts: Int, firstDelay: Duration, maximumDelay: Duration, timeLimit: Duration) {
        self.maximumAttempts = maximumAttempts
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.timeLimit = timeLimit
    }

    /// Three requests within 15 seconds, with delays of about 0.25 and 0.5 seconds. With `AsyncHTTPTransport` a call
    /// ends after 25 seconds at most.
    public static let standard = Self(
        maximumAttempts: 3, firstDelay: .milliseconds(250), maximumDelay: .seconds(2), timeLimit: .seconds(15))
    /// One request, whatever its outcome.
    public static let never = Self(
        maximumAttempts: 1, firstDelay: .zero, maximumDelay: .zero, timeLimit: .zero)

    /// Returns the delay before the next request, or nil if there is none.
    /// - Parameters:
    ///   - attempts: the number of requests so far.
    ///   - elapsed: the time since the first request began.
    ///   - random: any number; all of its bits count.
    func delay(after attempts: Int, elapsed: Duration, random: UInt64) -> Duration? {
        guard attempts >= 1, attempts < maximumAttempts, elapsed >= .zero else { return nil }
        var longest = firstDelay
        for _ in 1..<max(attempts, 1) where longest < maximumDelay { longest *= 2 }
        longest = min(longest, maximumDelay)
        let delay = longest * (1 - Double(random) / Double(UInt64.max) / 2)
        return elapsed + delay <= timeLimit ? delay : nil
    }
}

/// A kind of request to Apple, as metrics, spans and logs name it.
enum AppleCall: String, Sendable {
    case exchange
    case refresh
    case revocation
    case migrationToken = "migration_token"
    /// Both sides of a transfer.
    case migration
    case keys

    /// Whether the call may be repeated: a second request does no more than the first.
    ///
    /// A code is spent by the first request, even by one whose answer is lost. For the key set the cache decides when
    /// it is asked for again.
    var isRepeatable: Bool {
        switch self {
        case .refresh, .revocation, .migrationToken, .migration: true
        case .exchange, .keys: false
        }
    }
}
