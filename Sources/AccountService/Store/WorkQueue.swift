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
}

/// How long a row of a queue waits after an attempt that failed. Each queue has constants of its own.
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
