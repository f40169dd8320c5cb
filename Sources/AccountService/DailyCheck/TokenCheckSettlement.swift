/// What the answer to one check means for the others of its client.
public enum TokenCheckSettlement: Hashable, Sendable {
    case goesOn
    /// This one was too many: the client's check has just been stopped.
    case stops(CheckStop)
    /// It had been stopped before, while this check was under way.
    case isStopped
}
