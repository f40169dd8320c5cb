/// How long a row of a queue rests after an attempt that failed. Each queue has constants of its own.
struct RetryBackoff: Sendable {
    let first: Duration
    let longest: Duration

    /// - Parameters:
    ///   - attempts: those that have failed, at least one.
    ///   - random: any number; it takes up to a half away, so that many entries do not come back at once.
    func delay(after attempts: Int64, random: UInt64) -> Duration {
        var delay = first
        for _ in 1..<max(attempts, 1) where delay < longest { delay *= 2 }
        return min(delay, longest) * (1 - Double(random) / Double(UInt64.max) / 2)
    }
}
