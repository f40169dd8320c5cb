import AccountDatabase
import AppleID
public import AppleIDTypes

/// Answers what became of a person's credential, to the sessions of their own account alone.
public struct CredentialStates: Sendable {
    let store: AccountTransactions
    /// The teams of the configured clients.
    let teams: Set<TeamID>

    /// Returns the state of a credential of the session's own account. Any other id is ``CredentialState/notFound``, whether or
    /// not somebody has it.
    /// - Parameters:
    ///   - session: a live session, or one that Apple ended
    ///     (``Sessions/authenticateAllowingEndedSession(_:beforeChecking:)``). A session that ended gets the state of the
    ///     identity that had opened it, and of no other.
    ///   - subject: Apple's user id; nil for that of the session's own identity.
    public func state(of subject: Subject?, for session: StoredSession) async throws -> CredentialState {
        try await standing(of: subject, for: session).state
    }

    /// Answers like ``state(of:for:)``, and says how the person is known after the app has moved to another team.
    public func standing(of subject: Subject?, for session: StoredSession) async throws -> CredentialStanding {
        var isFormer = false
        var standing =
            if let subject {
                try await store.appleStanding(of: session.session.accountID, subject: subject)
            } else {
                try await store.appleStanding(of: session.session.accountID, identity: session.session.identityID)
            }
        if let subject, standing == nil {
            standing = try await store.standingAfterTransfer(of: session.session.accountID, formerSubject: subject)
            isFormer = true
        }
        guard let standing, !standing.isRemoved else { return CredentialStanding(.notFound) }
        guard session.ended == nil || standing.identity == session.session.identityID else {
            return CredentialStanding(.notFound)
        }
        if standing.accessEnded { return CredentialStanding(.revoked) }
        let transferred = CredentialStanding(.transferred, transferSubject: standing.transferSubject)
        guard teams.contains(standing.team), !isFormer else { return transferred }
        // An app that names no id has the one with which the session began.
        guard subject == nil, let movedAt = standing.movedAt else { return CredentialStanding(.authorized) }
        return session.session.createdAt < movedAt ? transferred : CredentialStanding(.authorized)
    }
}

/// The state of a person's credential, and how the person is known after the app has moved to another team.
public struct CredentialStanding: Hashable, Sendable {
    /// The state of the credential.
    public var state: CredentialState
    /// The SHA-256 of the person's `transfer_sub`, in hexadecimal digits, where the state is
    /// ``CredentialState/transferred`` and Apple has told it. An app compares it with the claim of a new identity
    /// token, because each person who used the app before has some `transfer_sub`.
    public var transferSubjectHash: String?

    init(_ state: CredentialState, transferSubject: Subject? = nil) {
        self.state = state
        transferSubjectHash = transferSubject.map { subject in
            TokenHash(of: subject.rawValue).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}

/// The state of a person's credential, as `getCredentialState` gives it on Apple's devices.
public struct CredentialState: RawRepresentable, Hashable, Sendable {
    /// The word that is stored and sent.
    public let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person uses the app with their Apple Account, as far as is known.
    public static let authorized = Self(rawValue: "authorized")
    /// The person stopped using the app: sign them out.
    public static let revoked = Self(rawValue: "revoked")
    /// Nobody of this id is known to the caller's account, or their Apple Account is gone.
    public static let notFound = Self(rawValue: "notFound")
    /// The app belongs to another team now, under which the person has another id: ask for a credential again, with
    /// this id as the request's user.
    public static let transferred = Self(rawValue: "transferred")
}

/// One Apple identity of an account, and how it stands.
package struct AppleStanding: Hashable, Sendable {
    package var identity: IdentityID
    /// The team that knows the person by the identity's subject.
    package var team: TeamID
    /// Whether access has ended, by Apple's word or because the person had this service revoke it, and was not
    /// authorized again since.
    package var accessEnded: Bool
    /// The Apple Account is gone, and with it what was known of the identity.
    package var isRemoved: Bool
    /// When the identity last moved to another team with its app.
    package var movedAt: Timestamp?
    /// The last transfer subject that Apple gave for the person.
    package var transferSubject: Subject?

    package init(
        identity: IdentityID, team: TeamID, accessEnded: Bool, isRemoved: Bool, movedAt: Timestamp? = nil,
        transferSubject: Subject? = nil
    ) {
        self.identity = identity
        self.team = team
        self.accessEnded = accessEnded
        self.isRemoved = isRemoved
        self.movedAt = movedAt
        self.transferSubject = transferSubject
    }
}

extension Sessions {
    /// How long a session that ended on Apple's initiative may still ask for the state of its credential.
    public static let endedSessionGracePeriod: Duration = .days(30)

    /// Returns the live session of an access token, as ``authenticate(accessToken:beforeChecking:)`` does, or a session that
    /// ended because of what Apple said, for ``endedSessionGracePeriod``. The access token of such a session counts however old
    /// it is, as long as the key that signed it is known. Its last refresh token counts, too.
    ///
    /// For two calls alone: the state of the caller's own credential, and the events of before its session's end. A
    /// refresh token of a live session is refused: it is for refreshing.
    ///
    /// Throws ``AccountError/Code/tokenInvalid``, ``AccountError/Code/accessTokenExpired``,
    /// ``AccountError/Code/sessionEnded`` or, for either token of a session whose account was merged,
    /// ``AccountError/Code/accountMerged``.
    /// - Parameter beforeChecking: is called before the signature is checked, and before a refresh token is looked up.
    public func authenticateAllowingEndedSession(
        _ token: String, beforeChecking: () throws -> Void = {}
    ) async throws -> StoredSession {
        if let secret = SessionSecret(received: token) {
            try beforeChecking()
            return try await ended(by: secret)
        }
        let claimed = try await accessTokens.claims(of: token, beforeChecking: beforeChecking)
        guard let stored = try await store.session(claimed.session), stored.session.kind == .tokens else {
            throw AccountError(.sessionEnded, "the session of this access token is gone")
        }
        if mayStillAsk(stored) { return stored }
        if let merged = mergeError(of: stored) { throw merged }
        let now = Timestamp(environment.now())
        guard stored.ended == nil, now < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "the session has ended")
        }
        guard now < claimed.expiresAt else {
            throw AccountError(.accessTokenExpired, "the access token has expired")
        }
        return await noting(claimed.generation, in: stored)
    }

    private func ended(by secret: SessionSecret) async throws -> StoredSession {
        let keys = keys.refreshTokenKeys
        let origin = secret.origin(checkedWith: keys)
        guard origin != .forged, let stored = try await store.session(secret.session), stored.session.kind == .tokens
        else { throw Self.notEndedByApple }
        guard mayStillAsk(stored), isOfLastExchange(secret, of: stored) else {
            throw mergeError(presenting: secret, origin, of: stored) ?? Self.notEndedByApple
        }
        return stored
    }

    private static var notEndedByApple: AccountError {
        AccountError(.tokenInvalid, "not the refresh token of a session that Apple ended")
    }

    private func mayStillAsk(_ stored: StoredSession) -> Bool {
        guard let ended = stored.ended, ended.reason.isInitiatedByApple else { return false }
        return Timestamp(environment.now()) - ended.at < Self.endedSessionGracePeriod
    }
}

extension SessionEndReason {
    /// Whether Apple ended the session, and neither the person nor this service.
    package var isInitiatedByApple: Bool {
        [.appleConsentRevoked, .appleAccountDeleted, .appleGrantDead].contains(self)
    }
}

extension AccountTransactions {
    /// How an Apple identity of an account stands; nil when the account has no such identity.
    package func appleStanding(of account: AccountID, identity: IdentityID) async throws -> AppleStanding? {
        try await read { connection in
            try connection.first(.standingOfIdentity, [.id(account), .id(identity)]) { try AppleStanding(&$0) }
        }
    }

    /// Returns how an account's Apple identity stands, looked up by Apple's user identifier (`sub`).
    package func appleStanding(of account: AccountID, subject: Subject) async throws -> AppleStanding? {
        try await read { connection in
            try connection.first(.standingOfSubject, [.id(account), .text(subject)]) { try AppleStanding(&$0) }
        }
    }

    /// Returns how an account's Apple identity stands, looked up by the user identifier that its person had before the
    /// app moved to another team.
    func standingAfterTransfer(of account: AccountID, formerSubject: Subject) async throws -> AppleStanding? {
        try await read { connection in
            try connection.first(.standingAfterTransfer, [.id(account), .text(formerSubject)]) {
                try AppleStanding(&$0)
            }
        }
    }
}

extension AppleStanding {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let (identity, team) = try (columns.word(IdentityID.self), columns.word(TeamID.self))
        let (endedAt, revokedAt) = try (columns.optionalInt64(), columns.optionalInt64())
        try self.init(
            identity: identity, team: team, accessEnded: endedAt != nil || revokedAt != nil,
            isRemoved: columns.optionalInt64() != nil, movedAt: columns.optionalTime(),
            transferSubject: columns.optionalText().map { Subject($0) })
    }
}

extension SQLStatement {
    private static let standing: Self = """
        i.id, i.team, i.access_ended_at, i.own_revoke_at, i.removed_at,
        (SELECT max(m.moved_at) FROM transfers m WHERE m.identity_id = i.id),
        (SELECT s.transfer_subject FROM transfers s WHERE s.identity_id = i.id AND s.transfer_subject IS NOT NULL
            ORDER BY s.updated_at DESC LIMIT 1)
        """
    fileprivate static let standingOfIdentity: Self = """
        SELECT \(standing) FROM identities i
        WHERE i.account_id = ?1 AND i.id = ?2 AND i.provider = 'apple'
        """
    /// Reads an identity by its subject. The rest of a removed identity has a subject of nobody.
    fileprivate static let standingOfSubject: Self = """
        SELECT \(standing) FROM identities i
        WHERE i.account_id = ?1 AND i.provider = 'apple' AND i.subject = ?2 AND i.removed_at IS NULL
        """
    fileprivate static let standingAfterTransfer: Self = """
        SELECT \(standing)
        FROM transfers t JOIN identities i ON i.id = t.identity_id
        WHERE i.account_id = ?1 AND t.former_subject = ?2 AND t.state = 'moved' AND i.removed_at IS NULL
        ORDER BY t.moved_at DESC LIMIT 1
        """
}
