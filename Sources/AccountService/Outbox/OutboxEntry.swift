public import AppleIDTypes

/// Something that is to be done elsewhere, written in the transaction that decided it, and tried until it is done.
public struct OutboxEntry: Hashable, Sendable {
    /// What is to be done; other words may be added, and an older program leaves them to a newer one.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A refresh token is to be revoked at Apple. Sealed: the token. Tried until Apple has accepted it.
        public static let revocation = Self(rawValue: "revocation")
        /// An authorization code is to be redeemed at Apple. Sealed: a ``WaitingCode``. Tried until it is too old.
        public static let code = Self(rawValue: "code")
    }

    public enum State: String, Hashable, Sendable {
        case waiting
        /// Nothing is tried any more until somebody says so; ``OutboxEntry/failure`` says why.
        case parked
        case done
        /// Not to be done any more: the person came back.
        case withdrawn
        /// Given up: a code that is too old, or that Apple does not redeem.
        case expired

        /// Whether anything is left to do; an entry with nothing left to do holds no secret.
        public var isOpen: Bool { self == .waiting || self == .parked }
    }

    /// How long the revocation of a token rests that no sign-in uses, and that nobody has wanted revoked: its person is
    /// likely to try again, and to revoke it would end the new authorization too.
    public static let unusedRest: Duration = .minutes(10)

    /// How long an entry is remembered after nothing was left to do.
    public static let memory: Duration = .days(30)

    public var id: OutboxID
    public var kind: Kind
    public var state: State
    /// With whose key Apple is asked.
    public var clientID: ClientID?
    /// Bound to ``id`` and ``clientID``; nil once nothing is left to do.
    public var sealed: [UInt8]?
    /// Whom it is about, in a form that outlives the account and names nobody. See ``personHash(team:subject:)``.
    public var personHash: TokenHash?
    /// The identity that an answer is for; it may be gone.
    public var identityID: IdentityID?
    /// The deletion that waits for it.
    public var deletionHash: TokenHash?
    /// How often it was begun.
    public var attempts: Int64
    public var createdAt: Timestamp
    /// Since when it is being tried: its creation, or when it last left being parked.
    public var waitingSince: Timestamp
    public var nextAttemptAt: Timestamp
    /// Why the last attempt failed: the code of an error.
    public var failure: String?
    /// When nothing was left to do any more.
    public var finishedAt: Timestamp?

    public init(
        id: OutboxID, kind: Kind, state: State = .waiting, clientID: ClientID?, sealed: [UInt8]?,
        personHash: TokenHash?, identityID: IdentityID? = nil, deletionHash: TokenHash? = nil, attempts: Int64 = 0,
        createdAt: Timestamp, waitingSince: Timestamp? = nil, nextAttemptAt: Timestamp? = nil, failure: String? = nil,
        finishedAt: Timestamp? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.clientID = clientID
        self.sealed = sealed
        self.personHash = personHash
        self.identityID = identityID
        self.deletionHash = deletionHash
        self.attempts = attempts
        self.createdAt = createdAt
        self.waitingSince = waitingSince ?? createdAt
        self.nextAttemptAt = nextAttemptAt ?? createdAt
        self.failure = failure
        self.finishedAt = finishedAt
    }

    /// By which a later sign-in of the same person finds what is still open. Apple's subjects hold 128 random bits, so
    /// nobody gets from the hash to the person.
    public static func personHash(team: TeamID, subject: Subject) -> TokenHash {
        TokenHash(of: team.rawValue + "\n" + subject.rawValue)
    }
}
