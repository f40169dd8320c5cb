import AppleID

/// The right of one server to work on due rows of a queue, for a time, so that of several servers one tries each row. There
/// is no leader: any server may take a row whose lease has run out, as after a crash.
///
/// The outbox, the notices for hooks and the mails are such queues.
package struct QueueLease: Hashable, Sendable {
    /// The taker of the rows: new for every taking, so that a server that was too slow changes nothing that another has
    /// taken.
    package var owner: String
    package var at: Timestamp
    package var until: Timestamp
    /// The greatest number of rows.
    package var limit: Int

    package init(owner: String, at: Timestamp, until: Timestamp, limit: Int) {
        self.owner = owner
        self.at = at
        self.until = until
        self.limit = limit
    }

    /// Makes a lease from now on, with a taker of its own.
    /// - Parameters:
    ///   - limit: the greatest number of rows.
    ///   - time: how long the taker may work on them.
    init(of limit: Int, for time: Duration, _ environment: AppleIDEnvironment) {
        let moment = Timestamp(environment.now())
        self.init(
            owner: Base64URL.text(environment.randomBytes(16)), at: moment, until: moment + time, limit: limit)
    }
}

/// How long a row of a queue waits after an attempt that failed. Each queue has constants of its own.
struct RetryBackoff: Sendable {
    let first: Duration
    let maximum: Duration

    /// - Parameters:
    ///   - attempts: those that have failed, at least one.
    ///   - random: any number; it takes up to a half away, so that many entries do not come back at once.
    func delay(after attempts: Int64, random: UInt64) -> Duration {
        var delay = first
        for _ in 1..<max(attempts, 1) where delay < maximum { delay *= 2 }
        return min(delay, maximum) * (1 - Double(random) / Double(UInt64.max) / 2)
    }
}
