/// Somebody who hears of changes to accounts: the app's own backend by a webhook, or a program that embeds the service.
///
/// It is told after the transaction, never within it: it can neither slow down what is done to an account nor undo it.
/// What it was told and has not taken is in the database and is told again, also after a crash; so the same notice may
/// come more than once, known by its id. Of one account the notices come in their order, one after another. Of several
/// servers on one database any one tells it.
public protocol AccountHook: Sendable {
    /// By which the database knows for whom a notice waits: 1 to 40 lowercase letters, digits and `-`, another one for
    /// each hook. A hook with a new name hears of what happens from then on, and one that no server has had for
    /// ``HookDelivery/memory`` is forgotten with all that waits for it.
    var name: String { get }

    /// Takes a notice. Ends soon when its task is cancelled, which happens after ``HookDelivery/patience``: a hook that
    /// does not holds up what comes after for itself, and the shutdown, but nothing else.
    func receive(_ notice: AccountNotice) async -> HookAnswer
}
