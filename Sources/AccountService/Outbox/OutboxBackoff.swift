/// How long an entry rests after an attempt that failed.
struct OutboxBackoff: Sendable {
    let first: Duration
    let longest: Duration

    /// Revocations: half a minute, then twice as long each time, up to six hours.
    static let revocation = Self(first: .seconds(30), longest: .hours(6))
    /// Codes live for five minutes.
    static let code = Self(first: .seconds(5), longest: .minutes(1))
    /// Answers of Apple's that wait for its key: they can be verified for a day at most.
    static let answer = Self(first: .seconds(30), longest: .minutes(30))
    /// Changes for hooks: a backend that was being restarted hears of them soon.
    static let hook = Self(first: .seconds(5), longest: .hours(3))

    /// - Parameters:
    ///   - attempts: those that have failed, at least one.
    ///   - random: any number; it takes up to a half away, so that many entries do not come back at once.
    func delay(after attempts: Int64, random: UInt64) -> Duration {
        var delay = first
        for _ in 1..<max(attempts, 1) where delay < longest { delay *= 2 }
        return min(delay, longest) * (1 - Double(random) / Double(UInt64.max) / 2)
    }
}
