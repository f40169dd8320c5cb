/// Every rule's result for one notification, for people. What decides is ``NotificationVerifier/verify(_:expecting:)``,
/// by the same rules.
public struct NotificationReport: Sendable {
    /// In the order in which a verification applies them.
    public let checks: [CheckResult]
    /// Absent unless every rule passed.
    public let notification: VerifiedNotification?

    /// Whether every rule passed or had nothing to look at.
    public var isVerified: Bool { notification != nil }

    /// The code that a verification would throw.
    public var failure: AppleIDError.Code? {
        for check in checks {
            if case .failed(let code) = check.outcome { return code }
        }
        return nil
    }
}
