import AppleID
public import AppleIDTypes
import Foundation
import Logging

/// Opens, recognises, renews and ends sessions.
public struct Sessions: Sendable {
    let limits: SessionLimits
    let accessTokens: AccessTokens
    let store: AccountTransactions
    let keys: ServerKeys
    let environment: AppleIDEnvironment
    let logger: Logger
    /// Notified when an event was written for an account.
    var bell = EventBell()
    private let ancestorSearches = AncestorSearches()

    /// The time between two writes that only note the use of a browser's session.
    private static let touchInterval: Duration = .hours(1)

    // MARK: Opening

    /// Makes the session that a transaction then writes, and the secret that its client gets.
    func prepare(
        _ kind: Session.Kind, clientID: ClientID, browserHash: TokenHash? = nil, authenticatedAt: Timestamp,
        hasNonceProof: Bool = true, at now: Timestamp
    ) -> (record: SignInRecord.NewSession, secret: SessionSecret) {
        let id = SessionID(at: now, randomness: environment.randomBytes(10))
        let secret =
            switch kind {
            case .browser: SessionSecret(session: id, secret: environment.randomBytes(SessionSecret.length))
            case .tokens:
                SessionSecret(
                    refreshTokenOf: id, randomness: environment.randomBytes(16), keys: keys.refreshTokenKeys)
            }
        let record = SignInRecord.NewSession(
            id: id, kind: kind, clientID: clientID, secretHash: secret.hash, browserHash: browserHash,
            authenticatedAt: authenticatedAt, expiresAt: limits.expiry(usedAt: now, createdAt: now),
            hasNonceProof: hasNonceProof)
        return (record, secret)
    }

    /// Makes the tokens of a session, after the transaction that wrote it.
    func tokens(
        for session: Session, generation: Int64 = 0, refreshToken: SessionSecret
    ) throws -> SessionTokens {
        SessionTokens(
            accessToken: try accessTokens.mint(for: session, generation: generation),
            expiresIn: SessionLimits.accessToken,
            refreshToken: refreshToken.text)
    }

    /// Makes an access token of a session.
    /// - Parameter generation: the generation of the access token in the request.
    func accessToken(for session: Session, generation: Int64) throws -> String {
        try accessTokens.mint(for: session, generation: generation)
    }

    // MARK: Recognising

    /// The live session of an access token, from the `Authorization` header of a call under `/v1`.
    ///
    /// Throws ``AccountError/Code/tokenInvalid``, ``AccountError/Code/accessTokenExpired`` or
    /// ``AccountError/Code/sessionEnded``.
    /// - Parameter beforeChecking: called before the signature of a token is checked that is not known yet; what it
    ///   throws is thrown.
    public func authenticate(
        accessToken: String, beforeChecking: () throws -> Void = {}
    ) async throws -> StoredSession {
        let claimed = try await accessTokens.unexpired(accessToken, beforeChecking: beforeChecking)
        guard let stored = try await store.session(claimed.session), stored.session.kind == .tokens else {
            throw AccountError(.sessionEnded, "the session of this access token is gone")
        }
        return await noting(claimed.generation, in: try live(stored))
    }

    /// Notes the first use of an access token of a generation, before the request is answered. After that, a late repeat of
    /// the refresh that issued this token no longer gets the same tokens.
    ///
    /// No refresh issued the first generation, so nothing is noted for it. If the database can't write now, the request goes
    /// on all the same.
    func noting(_ generation: Int64?, in stored: StoredSession) async -> StoredSession {
        guard let generation, stored.usedGeneration < generation, generation <= stored.generation else {
            return stored
        }
        var used = stored
        used.usedGeneration = generation
        do {
            try await store.noteUse(of: stored.session.id, generation: generation)
        } catch {
            logger.warning("The use of an access token could not be noted.", metadata: ["error": "\(error)"])
            return stored
        }
        return used
    }

    /// The live session of a browser's cookie, on pages.
    ///
    /// Throws ``AccountError/Code/tokenInvalid`` or ``AccountError/Code/sessionEnded``.
    public func authenticate(cookie: String) async throws -> StoredSession {
        guard let secret = SessionSecret(received: cookie) else {
            throw AccountError(.tokenInvalid, "not a session cookie of this service")
        }
        guard
            let stored = try await store.session(secret.session), stored.session.kind == .browser,
            stored.secretHash == secret.hash
        else {
            throw AccountError(.tokenInvalid, "no session has this cookie")
        }
        var found = try live(stored)
        let now = Timestamp(environment.now())
        if now - found.session.lastUsedAt >= Self.touchInterval {
            found.session.lastUsedAt = now
            found.session.expiresAt = limits.expiry(usedAt: now, createdAt: found.session.createdAt)
            do {
                try await store.touchSession(found.session.id, usedAt: now, expiresAt: found.session.expiresAt)
            } catch {
                // A database that cannot write now signs nobody out: the next page tries again.
                logger.warning("A session's use could not be noted.", metadata: ["error": "\(error)"])
            }
        }
        return found
    }

    func live(_ stored: StoredSession) throws -> StoredSession {
        if let merged = mergeError(of: stored) { throw merged }
        guard stored.ended == nil, Timestamp(environment.now()) < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "the session has ended")
        }
        return stored
    }

    // MARK: Renewing and ending

    /// Exchanges a refresh token for its successor and a new access token.
    ///
    /// The same token again gets the same successor within ``SessionLimits/refreshGrace``, before the successor was
    /// exchanged. Any other repeat ends the session. Throws ``AccountError/Code/refreshTokenInvalid`` or
    /// ``AccountError/Code/refreshTokenReused``.
    /// - Parameter deviceName: takes the place of the one that the session has; nil leaves it.
    public func refresh(
        _ refreshToken: String, deviceName: DeviceName? = nil, from caller: Caller = .unknown
    ) async throws -> SessionTokens {
        try await refresh(refreshToken, deviceName: deviceName, attempt: nil, from: caller)
    }

    /// Exchanges a refresh token like ``refresh(_:deviceName:from:)``, for a client that may have stored an attempt.
    ///
    /// With the same attempt, the same token gets the same successor at any time until a token that was issued with the
    /// successor has been used here.
    /// - Parameters:
    ///   - deviceName: takes the place of the one that the session has; nil leaves it.
    ///   - attempt: what the client has stored before it asked; nil where it does not do that.
    package func refresh(
        _ refreshToken: String, deviceName: DeviceName? = nil, attempt: RefreshAttempt?, from caller: Caller = .unknown
    ) async throws -> SessionTokens {
        guard let presented = SessionSecret(received: refreshToken) else {
            throw AccountError(.refreshTokenInvalid, "not a refresh token of this service")
        }
        let keys = keys.refreshTokenKeys
        let origin = presented.origin(checkedWith: keys)
        let generation = try await generation(ofSuccessorOf: presented, origin)
        let successor = presented.successor(generation: generation, derivedWith: keys)
        let formerSuccessor = presented.formerSuccessor(derivedWith: keys)
        let now = Timestamp(environment.now())
        var rotation = SessionRotationRecord(
            session: presented.session, presented: presented.hash, successor: successor.hash, at: now,
            grace: limits.refreshGrace, idleLimit: limits.idle, absoluteLimit: limits.absolute)
        rotation.formerSuccessor = formerSuccessor.hash
        rotation.deviceName = deviceName
        rotation.attemptHash = attempt?.hash(presenting: presented)
        rotation.caller = caller
        switch try await store.rotateSession(rotation) {
        case .rotated(let stored):
            return try tokens(for: stored.session, generation: stored.generation, refreshToken: successor)
        case .repeated(let stored):
            // A server of the previous version may have been asked first.
            let current = stored.secretHash == successor.hash ? successor : formerSuccessor
            return try tokens(for: stored.session, generation: stored.generation, refreshToken: current)
        case .gone:
            if let merged = try await mergeError(presenting: presented, origin) { throw merged }
            throw AccountError(.refreshTokenInvalid, "the session of this refresh token is over")
        case .reused(let stored):
            throw try await endReused(stored, from: caller)
        case .mismatch(let stored, let hasSignedToken):
            guard isAncestor(presented, of: stored, hasSignedToken: hasSignedToken, origin) else {
                throw AccountError(.refreshTokenInvalid, "no session has this refresh token")
            }
            throw try await endReused(stored, from: caller)
        }
    }

    /// Returns the generation of the token's successor. It reads the database only for a token of the former form: a signed
    /// token says its generation, and a forged one is refused at once.
    private func generation(
        ofSuccessorOf presented: SessionSecret, _ origin: SessionSecret.Origin
    ) async throws -> Int64 {
        switch origin {
        case .signed(let generation):
            guard generation < SessionSecret.lastGeneration else {
                throw AccountError(.refreshTokenInvalid, "the session's refresh token was exchanged too often")
            }
            return generation + 1
        case .forged:
            throw AccountError(.refreshTokenInvalid, "no server of this service has made this refresh token")
        case .former:
            guard let stored = try await store.session(presented.session) else {
                throw AccountError(.refreshTokenInvalid, "the session of this refresh token is over")
            }
            // A token that was exchanged before is repeated, and its successor has its generation already.
            return stored.secretHash == presented.hash ? stored.generation + 1 : stored.generation
        }
    }

    /// Whether a token that is neither current nor the one before was the session's once.
    ///
    /// A signed token was, because a server of this service has made it. For a token of the former form it makes its
    /// successors, one after the other, until one of them is the current token. That costs work. So it isn't done once the
    /// session has had a signed token, only for some generations, and not often.
    private func isAncestor(
        _ presented: SessionSecret, of stored: StoredSession, hasSignedToken: Bool, _ origin: SessionSecret.Origin
    ) -> Bool {
        if case .signed = origin { return true }
        guard !hasSignedToken, ancestorSearches.begin(at: Timestamp(environment.now())) else { return false }
        return presented.isAncestor(
            of: stored.secretHash, within: min(stored.generation, AncestorSearches.maximumSteps),
            derivedWith: keys.refreshTokenKeys)
    }

    /// Ends the session of a refresh token that was used before.
    /// - Returns: the error for whoever presented the token.
    private func endReused(_ stored: StoredSession, from caller: Caller) async throws -> AccountError {
        let ending = SessionEnding(
            at: Timestamp(environment.now()), reason: .refreshTokenReused, by: .service(meeting: caller))
        if try await store.endSession(stored.session.id, ending) {
            bell.notify(stored.session.accountID)
            logger.warning(
                "A refresh token came again: its session was ended.",
                metadata: ["session": "\(stored.session.id)", "account": "\(stored.session.accountID)"])
        }
        return AccountError(.refreshTokenReused, "this refresh token was used before; its session has been ended")
    }

    /// Signs out: the session is refused from now on.
    public func end(_ id: SessionID, from caller: Caller = .unknown) async throws {
        let ending = SessionEnding(
            at: Timestamp(environment.now()), reason: .signedOut, by: .account(through: id, from: caller))
        guard try await store.endSession(id, ending) else { return }
        if let account = try await store.session(id)?.session.accountID { bell.notify(account) }
    }

    // MARK: Looking up

    /// The live session in which a browser's attempt began.
    ///
    /// Throws ``AccountError/Code/sessionEnded``.
    func session(inWhichBegan attempt: Attempt) async throws -> StoredSession {
        guard let id = attempt.sessionID, let stored = try await store.session(id) else {
            throw AccountError(.sessionEnded, "the session in which this began is gone")
        }
        return try live(stored)
    }

    /// Returns the identity of a session. An upgrade or a transfer may have moved the session to it since the session
    /// was read.
    ///
    /// Throws ``AccountError/Code/sessionEnded`` when the session has none any more, and
    /// ``AccountError/Code/accountMerged`` when a merge has moved it since the session was read.
    func identity(of session: Session) async throws -> Identity {
        let identities = try await store.identities(of: session.accountID)
        guard let identity = identities.first(where: { $0.id == session.identityID }) else {
            let stored = try await store.session(session.id)
            if let stored, let merged = mergeError(of: stored) { throw merged }
            // An upgrade or a transfer has moved the session meanwhile.
            if let stored, stored.ended == nil,
                let identity = identities.first(where: { $0.id == stored.session.identityID })
            {
                return identity
            }
            throw AccountError(.sessionEnded, "the identity of this session is gone")
        }
        return identity
    }
}

extension Sessions {
    /// The number of sessions on a page.
    static let pageLength = 50
    /// Sessions that end in one transaction, so that no sign-in waits long behind it.
    static let batchSize = 200

    /// The live sessions of an account.
    /// - Parameter before: where the page before ended.
    public func list(of account: AccountID, before: SessionID? = nil) async throws -> SessionPage {
        var sessions = try await store.sessions(
            of: account, liveAt: Timestamp(environment.now()), before: before, limit: Self.pageLength + 1)
        let hasMore = sessions.count > Self.pageLength
        if hasMore { sessions.removeLast() }
        guard !sessions.isEmpty else { return SessionPage(sessions: [], next: nil) }
        return SessionPage(
            sessions: sessions, next: hasMore ? sessions.last?.id : nil,
            signInAddresses: try await store.signInAddresses(of: sessions),
            identities: try await store.linkedIdentities(of: account))
    }

    /// Ends one session of the person who acts through another, or through the same.
    ///
    /// Throws ``AccountError/Code/sessionUnknown`` for one that is not theirs, or not live: not told apart.
    public func end(_ id: SessionID, as acting: Session, from caller: Caller) async throws {
        let ending = ending(of: id, by: acting, from: caller)
        guard try await store.endSession(id, of: acting.accountID, ending) else {
            throw AccountError(.sessionUnknown, "no live session of this account has this id")
        }
        bell.notify(acting.accountID)
    }

    /// Ends every session of the person who acts, or every other.
    public func endAll(as acting: Session, exceptActing: Bool, from caller: Caller) async throws {
        // The others first: when something fails half-way, the person can still ask again.
        while try await store.endSessions(
            of: acting.accountID, except: acting.id, ending(of: nil, by: acting, from: caller), limit: Self.batchSize)
            == Self.batchSize
        {}
        defer { bell.notify(acting.accountID) }
        if !exceptActing {
            _ = try await store.endSession(
                acting.id, of: acting.accountID, ending(of: acting.id, by: acting, from: caller))
        }
    }

    private func ending(of id: SessionID?, by acting: Session, from caller: Caller) -> SessionEnding {
        SessionEnding(
            at: Timestamp(environment.now()), reason: id == acting.id ? .signedOut : .endedElsewhere,
            by: .account(through: acting.id, from: caller))
    }
}

/// Some of an account's live sessions, newest first.
public struct SessionPage: Hashable, Sendable {
    /// The sessions of the page, newest first.
    public var sessions: [Session]
    /// The session after which the next page begins; nil when this is the last.
    public var next: SessionID?
    /// The network addresses that the sessions were opened from, as the audit has them. An address is missing where
    /// the caller's was unknown, and where the audit no longer keeps the entry.
    public var signInAddresses: [SessionID: String] = [:]
    /// The identities that open the account. ``Session/identityID`` says which of them opened a session.
    public var identities: [LinkedIdentity] = []

    /// Returns the identity that opened a session; nil if it was removed meanwhile.
    public func identity(of session: Session) -> LinkedIdentity? {
        identities.first { $0.id == session.identityID }
    }
}

/// The tokens with which an app uses its session. The server keeps neither.
public struct SessionTokens: Hashable, Sendable, Redacted {
    /// A JWT (`at+jwt`, RFC 9068) for `Authorization: Bearer`.
    public var accessToken: String
    /// How long ``accessToken`` is valid.
    public var expiresIn: Duration
    /// Exchanged for its successor once.
    public var refreshToken: String

    package init(accessToken: String, expiresIn: Duration, refreshToken: String) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}
