/// One exchange of a refresh token for its successor, decided by a store in one transaction.
///
/// In this order, for a live session of kind ``Session/Kind/tokens``:
/// 1. `presented` is the current hash: it becomes the previous one, `successor` the current one, the generation rises
///    by one, and the session is used now and expires after `idleLimit`, but not later than `absoluteLimit` after its
///    creation. → ``Outcome/rotated(_:)``
/// 2. `presented` is the previous hash, the current hash is `successor` or `formerSuccessor`, and either the exchange
///    was no longer than `grace` ago, or it had the same `attemptHash` and no token of the session's generation has
///    been used: the repeat is appended to the audit. → ``Outcome/repeated(_:)``
/// 3. `presented` is the previous hash otherwise: nothing is written. → ``Outcome/reused(_:)``
/// 4. Anything else: nothing is written. → ``Outcome/mismatch(_:hasSignedToken:)``
public struct SessionRotation: Hashable, Sendable {
    /// The store's decision about an exchange.
    public enum Outcome: Hashable, Sendable {
        case rotated(StoredSession)
        case repeated(StoredSession)
        /// The token was exchanged before, too long ago or for another successor than this one.
        case reused(StoredSession)
        /// Neither the current token nor the one before. The caller finds out whether it is an earlier one of the
        /// session's; `hasSignedToken` tells whether the session has ever had a signed one.
        case mismatch(StoredSession, hasSignedToken: Bool)
        /// No such session, or one that has ended or expired, or one that has no refresh token.
        case gone
    }

    public var session: SessionID
    public var presented: TokenHash
    public var successor: TokenHash
    /// The successor that a server of the version before gives; nil where there is none.
    public var formerSuccessor: TokenHash?
    public var at: Timestamp
    public var grace: Duration
    /// How long an unused session lives from now.
    public var idleLimit: Duration
    /// How long a session lives from its creation, used or not.
    public var absoluteLimit: Duration
    /// Takes the place of the name that the session's device has; nil leaves it.
    public var deviceName: DeviceName?
    /// The hash of the attempt that the client has stored, bound to `presented`; nil where it sent none.
    public var attemptHash: TokenHash?
    /// For the audit of a repeat.
    public var caller = Caller.unknown

    public init(
        session: SessionID, presented: TokenHash, successor: TokenHash, at: Timestamp, grace: Duration,
        idleLimit: Duration, absoluteLimit: Duration
    ) {
        self.session = session
        self.presented = presented
        self.successor = successor
        self.at = at
        self.grace = grace
        self.idleLimit = idleLimit
        self.absoluteLimit = absoluteLimit
    }
}
