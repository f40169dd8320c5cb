public import AppleIDTypes

/// What whoever deleted an account is left with.
public struct DeletionReceipt: Sendable, Redacted {
    public var handle: DeletionHandle
    public var deletion: Deletion

    /// - Parameter open: how many entries of the outbox it waits for.
    init(handle: DeletionHandle, open: Int, at moment: Timestamp) {
        self.handle = handle
        deletion = Deletion(
            state: open > 0 ? .waiting : .done, requestedAt: moment, finishedAt: open > 0 ? nil : moment,
            asksApple: open > 0)
    }
}
