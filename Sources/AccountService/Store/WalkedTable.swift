/// A table that is swept by walking through it.
///
/// Every sign-in writes to each of these, and an index by time would cost it more than a walk does once in a while.
public enum WalkedTable: CaseIterable, Sendable {
    /// Notes of things that were used up, eleven minutes each.
    case spent
    /// Events of accounts, a month each.
    case events
    /// Sessions; those that have ended early are also found by their end.
    case sessions

    /// The key of a row that a walk has come to.
    public enum Row: Hashable, Sendable {
        case spent(kind: String, hash: [UInt8])
        case event(account: String, revision: Int64)
        case session(String)
    }

    /// How often it is walked through.
    var interval: Duration {
        switch self {
        case .spent: SignIn.spentLifetime
        case .events, .sessions: .days(1)
        }
    }

    /// For how long a row is kept after its time.
    var memory: Duration {
        switch self {
        case .spent, .events: .zero
        case .sessions: Sweeper.sessionMemory
        }
    }
}
