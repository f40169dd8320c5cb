public import AppleIDTypes

/// What whoever deleted an account is left with.
public struct DeletionReceipt: Sendable, Redacted {
    public var handle: DeletionHandle
    public var deletion: Deletion
}
