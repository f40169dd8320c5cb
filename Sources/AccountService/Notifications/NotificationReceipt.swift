/// What a store did with a notification.
public struct NotificationReceipt: Hashable, Sendable {
    /// Of the first delivery.
    public var outcome: NotificationOutcome
    /// Whose it was; nil for an unknown subject, and when it is a repeat.
    public var account: AccountID?
    /// It had been delivered before, and nothing was done.
    public var isRepeat: Bool

    public init(outcome: NotificationOutcome, account: AccountID?, isRepeat: Bool) {
        self.outcome = outcome
        self.account = account
        self.isRepeat = isRepeat
    }
}
