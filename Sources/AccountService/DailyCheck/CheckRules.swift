/// The times and numbers of the daily check.
package enum CheckRules {
    /// Apple wants to be asked about a token once a day at most ("Verifying a user").
    package static let interval: Duration = .hours(24)
    /// When a check that brought no answer is due again.
    package static let retry: Duration = .hours(1)
    /// For how long a server has a token to itself while it asks.
    package static let lease: Duration = .minutes(10)
    /// The time over which deaths are counted, and so also how long a dead token waits before it ends sessions: until
    /// then it may turn out that too many died.
    package static let window: Duration = .hours(1)
    /// Fewer deaths of one client in a ``window`` are never too many.
    package static let minimumDeaths: Int64 = 20
    /// More than one in so many are.
    package static let share: Int64 = 20

    /// When a token is due again: a day after the check, and later by as much as the check itself was late.
    ///
    /// The checks that a stopped server or a silent Apple has left undone are made in one go. From then on all of them
    /// would be due at the same time of every day. Put off by its lateness, each lies as far from the others as before.
    /// - Parameter due: when the check that was made at `moment` was due.
    package static func next(after moment: Timestamp, due: Timestamp) -> Timestamp {
        let late = max(.zero, moment - due)
        // Whole days say nothing of the time of day, and would put it off for as long as the server was away.
        let wholeDays = late.components.seconds / interval.components.seconds
        return moment + interval + (late - interval * wholeDays)
    }

    /// Whether so many deaths among so many checks stop a client's check: more than 5 %, and at least twenty.
    package static func isTooMany(died: Int64, of checked: Int64) -> Bool {
        died >= minimumDeaths && died * share > checked
    }
}
