public import AppleIDTypes

/// One verified notification of Apple's, as a store keeps and applies it: once, however often it is delivered.
///
/// The address that an e-mail event names is not kept.
public struct AppleNotification: Hashable, Sendable {
    /// What it asks for.
    public enum Change: Hashable, Sendable {
        case consentRevoked
        case accountDeleted
        /// Whether Apple forwards mail to the person's relay address from now on.
        case emailForwarding(Bool)
        /// A type that is not known here: kept and shown, nothing more.
        case other
    }

    /// For how long one is kept. Apple's are good for a day, or for seven when they do not say.
    public static let lifetime: Duration = .days(30)
    /// An end of consent so soon after this service revoked a token of the person's is what the revocation brought
    /// about.
    public static let ownRevokeEcho: Duration = .minutes(10)

    /// `jti`.
    public var id: String
    public var type: EventType
    public var change: Change
    public var team: TeamID
    public var audience: ClientID
    public var subject: Subject
    /// When it happened, by Apple's clock; never later than Apple issued the notification.
    public var happenedAt: Timestamp
    public var receivedAt: Timestamp
    /// Set where an end of consent deletes the account: the hash of the deletion's handle.
    public var deletion: TokenHash?

    public init(
        id: String, type: EventType, change: Change, team: TeamID, audience: ClientID, subject: Subject,
        happenedAt: Timestamp, receivedAt: Timestamp
    ) {
        self.id = id
        self.type = type
        self.change = change
        self.team = team
        self.audience = audience
        self.subject = subject
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }
}
