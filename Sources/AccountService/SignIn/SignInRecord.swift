public import AppleIDTypes

/// All that one successful sign-in writes, decided beforehand; a store applies it in ONE transaction.
///
/// Identifiers and times are values, so that a transaction which runs again writes the same.
public struct SignInRecord: Sendable {
    /// What Apple says about the person.
    public struct Person: Hashable, Sendable {
        public var team: TeamID
        public var subject: Subject
        /// Nil leaves the stored address as it is.
        public var email: String?
        public var emailVerified: Bool
        public var isPrivateEmail: Bool
        public var realUserStatus: RealUserStatus?
        /// `org_id` of a managed account; nil leaves the stored one.
        public var organizationID: String?
        /// When Apple issued the identity token; nil is taken for the record's time.
        public var authorizedAt: Timestamp?
        /// `transfer_sub` of the identity token: Apple writes it for sixty days after the app moved to this team. Such a
        /// person gets no new account in a store that holds people of another team. Nil admits the person.
        public var transferSubject: Subject?

        public init(
            team: TeamID, subject: Subject, email: String?, emailVerified: Bool, isPrivateEmail: Bool,
            realUserStatus: RealUserStatus?, organizationID: String? = nil, authorizedAt: Timestamp? = nil
        ) {
            self.team = team
            self.subject = subject
            self.email = email
            self.emailVerified = emailVerified
            self.isPrivateEmail = isPrivateEmail
            self.realUserStatus = realUserStatus
            self.organizationID = organizationID
            self.authorizedAt = authorizedAt
        }
    }

    /// The session to open.
    public struct NewSession: Hashable, Sendable {
        public var id: SessionID
        public var kind: Session.Kind
        public var clientID: ClientID
        public var secretHash: TokenHash
        /// Hash of the value by which the browser is known while it signs in; nil for an app.
        public var browserHash: TokenHash?
        public var authenticatedAt: Timestamp
        public var expiresAt: Timestamp
        /// See ``Session/hasNonceProof``.
        public var hasNonceProof: Bool
        /// As its client calls it; nil when nobody has said.
        public var deviceName: DeviceName?

        public init(
            id: SessionID, kind: Session.Kind, clientID: ClientID, secretHash: TokenHash,
            browserHash: TokenHash? = nil, authenticatedAt: Timestamp, expiresAt: Timestamp,
            hasNonceProof: Bool = true
        ) {
            self.id = id
            self.kind = kind
            self.clientID = clientID
            self.secretHash = secretHash
            self.browserHash = browserHash
            self.authenticatedAt = authenticatedAt
            self.expiresAt = expiresAt
            self.hasNonceProof = hasNonceProof
        }
    }

    /// The code of ours that is used instead of Apple's.
    public struct OwnCode: Hashable, Sendable {
        public var authorization: AuthorizationID
        public var hash: TokenHash

        public init(authorization: AuthorizationID, hash: TokenHash) {
            self.authorization = authorization
            self.hash = hash
        }
    }

    public var at: Timestamp
    public var spent: [Spent]
    /// Used up with the rest, so that what its authorization held is here now and nowhere else.
    public var ownCode: OwnCode?
    public var person: Person
    /// Used only when the person is new.
    public var newAccountID: AccountID
    /// Used only when the person is new.
    public var newIdentityID: IdentityID
    /// The name that came with this sign-in. Its parts replace stored ones; a part that is missing never does.
    public var name: PersonName?
    /// Opens a kept name without any other I/O than a log line. Nil when it does not open.
    public var openKeptName: @Sendable (KeptName) -> KeptFacts?
    public var appleToken: AppleToken?
    /// A code that could not be redeemed yet; for the outbox, which is told the identity.
    public var waitingCode: OutboxEntry?
    public var session: NewSession
    /// The session that the same browser had when it began: ended in the same transaction, like one that another tab of
    /// it has opened meanwhile, which is known by its ``NewSession/browserHash``.
    public var formerSession: SessionID?
    /// Whose request it was: for the audit.
    public var caller = Caller.unknown

    public init(
        at: Timestamp, spent: [Spent], ownCode: OwnCode? = nil, person: Person, newAccountID: AccountID,
        newIdentityID: IdentityID,
        name: PersonName?, openKeptName: @escaping @Sendable (KeptName) -> KeptFacts?, appleToken: AppleToken?,
        session: NewSession, formerSession: SessionID?
    ) {
        self.at = at
        self.spent = spent
        self.ownCode = ownCode
        self.person = person
        self.newAccountID = newAccountID
        self.newIdentityID = newIdentityID
        self.name = name
        self.openKeptName = openKeptName
        self.appleToken = appleToken
        self.session = session
        self.formerSession = formerSession
    }
}
