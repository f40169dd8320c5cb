/// A notification as a store has kept it, for the operator to see.
public struct KeptNotification: Hashable, Sendable {
    public var notification: AppleNotification
    public var outcome: NotificationOutcome
    public var account: AccountID?

    public init(notification: AppleNotification, outcome: NotificationOutcome, account: AccountID?) {
        self.notification = notification
        self.outcome = outcome
        self.account = account
    }
}
