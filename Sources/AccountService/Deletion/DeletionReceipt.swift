public import AppleIDTypes

/// What whoever deleted an account is left with.
public struct DeletionReceipt: Sendable, Redacted {
    public var handle: DeletionHandle
    public var deletion: Deletion

    /// - Parameter order: what the deletion waits for.
    init(handle: DeletionHandle, _ order: RevocationOrder, at moment: Timestamp) {
        self.handle = handle
        let isDone = order.count == 0
        deletion = Deletion(
            state: isDone ? .done : .waiting, requestedAt: moment, finishedAt: isDone ? moment : nil,
            asksApple: !order.needsManualRemoval)
    }
}
