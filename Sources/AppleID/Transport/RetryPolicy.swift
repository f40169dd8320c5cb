/// How often Apple is asked again when it gave no answer, or one with a 5xx status.
///
/// Only requests that may arrive twice are repeated: refreshes, revocations and those of a transfer. Never one with an
/// authorization code, which may be spent although no answer came. An answer that says anything is an answer: who is
/// told to slow down (429) is not asked again here.
public struct RetryPolicy: Hashable, Sendable {
    /// How many requests at most; one means that nothing is repeated.
    public var maximumAttempts: Int
    /// Before the second request. Each further delay is twice as long, up to ``maximumDelay``; of every delay a random
    /// part of up to a half is left out, so that many servers do not come back at once.
    public var firstDelay: Duration
    /// No delay is longer.
    public var maximumDelay: Duration
    /// No request begins later than that after the first one did. What one request may take is the transport's to bound
    /// (ten seconds with ``AsyncHTTPTransport``), so a call takes at most this and one request more.
    public var timeLimit: Duration

    /// A policy of your own; ``standard`` and ``never`` are the usual ones.
    public init(maximumAttempts: Int, firstDelay: Duration, maximumDelay: Duration, timeLimit: Duration) {
        self.maximumAttempts = maximumAttempts
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.timeLimit = timeLimit
    }

    /// Three requests within 15 seconds, with delays of about 0.25 and 0.5 seconds: a call ends after 25 seconds at
    /// most with ``AsyncHTTPTransport``.
    public static let standard = Self(
        maximumAttempts: 3, firstDelay: .milliseconds(250), maximumDelay: .seconds(2), timeLimit: .seconds(15))
    /// One request, whatever comes of it.
    public static let never = Self(
        maximumAttempts: 1, firstDelay: .zero, maximumDelay: .zero, timeLimit: .zero)

    /// Before the request after `attempts` ones, or nil when there shall be none.
    /// - Parameters:
    ///   - elapsed: since the first request began.
    ///   - random: any number; all of it counts.
    func delay(after attempts: Int, elapsed: Duration, random: UInt64) -> Duration? {
        guard attempts >= 1, attempts < maximumAttempts, elapsed >= .zero else { return nil }
        var longest = firstDelay
        for _ in 1..<max(attempts, 1) where longest < maximumDelay { longest *= 2 }
        longest = min(longest, maximumDelay)
        let delay = longest * (1 - Double(random) / Double(UInt64.max) / 2)
        return elapsed + delay <= timeLimit ? delay : nil
    }
}
