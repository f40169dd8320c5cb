public import AppleIDTypes

/// What is known of a person's standing at Apple: whether they still use the app with their Apple Account, and what
/// Apple has said of them.
public struct AppleAccess: Hashable, Sendable {
    /// The person stopped using the app, or their Apple Account is gone.
    public struct End: Hashable, Sendable {
        /// By Apple's clock where a notification said so, else when it was found out.
        public var at: Timestamp
        /// One of ``SessionEndReason/appleConsentRevoked``, ``SessionEndReason/appleAccountDeleted`` and
        /// ``SessionEndReason/appleGrantDead``.
        public var reason: SessionEndReason

        public init(at: Timestamp, reason: SessionEndReason) {
            self.at = at
            self.reason = reason
        }
    }

    /// Nil: the person uses the app, as far as is known.
    public var ended: End?
    /// Whether Apple forwards mail to the relay address; nil while Apple has said nothing since the address was told.
    public var forwardsEmail: Bool?
    /// Advice of Apple's, told once, with a native first sign-in.
    public var realUserStatus: RealUserStatus?
    /// Of a managed Apple Account (`org_id`).
    public var organizationID: String?
    /// When Apple issued the last identity token that this person signed in with; nil for one who has not since this is
    /// kept.
    public var lastAuthorizedAt: Timestamp?

    public init(
        ended: End? = nil, forwardsEmail: Bool? = nil, realUserStatus: RealUserStatus? = nil,
        organizationID: String? = nil, lastAuthorizedAt: Timestamp? = nil
    ) {
        self.ended = ended
        self.forwardsEmail = forwardsEmail
        self.realUserStatus = realUserStatus
        self.organizationID = organizationID
        self.lastAuthorizedAt = lastAuthorizedAt
    }
}
