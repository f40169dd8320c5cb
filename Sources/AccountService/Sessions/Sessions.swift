import AppleID
import AppleIDTypes
import Foundation
import Logging

/// Opens, recognises, renews and ends sessions.
public struct Sessions: Sendable {
    let limits: SessionLimits
    let accessTokens: AccessTokens
    let store: any AccountStore
    let keys: ServerKeys
    let environment: AppleIDEnvironment
    let logger: Logger
    /// Rung when an event was written for an account.
    var bell = EventBell()

    /// A browser's session is written to at most this often only because it is used.
    private static let touchInterval: Duration = .hours(1)

    // MARK: Opening

    /// The session that a sign-in is about to write, with what the client will hold of it.
    func prepare(
        _ kind: Session.Kind, clientID: ClientID, browserHash: TokenHash? = nil, authenticatedAt: Timestamp,
        hasNonceProof: Bool = true, at now: Timestamp
    ) -> (record: SignInRecord.NewSession, secret: SessionSecret) {
        let id = SessionID(at: now, randomness: environment.randomBytes(10))
        let secret = SessionSecret(session: id, secret: environment.randomBytes(32))
        let record = SignInRecord.NewSession(
            id: id, kind: kind, clientID: clientID, secretHash: secret.hash, browserHash: browserHash,
            authenticatedAt: authenticatedAt, expiresAt: limits.expiry(usedAt: now, createdAt: now),
            hasNonceProof: hasNonceProof)
        return (record, secret)
    }

    func tokens(for session: Session, refreshToken: SessionSecret) throws -> SessionTokens {
        SessionTokens(
            accessToken: try accessTokens.mint(for: session), expiresIn: SessionLimits.accessToken,
            refreshToken: refreshToken.text)
    }

    func accessToken(for session: Session) throws -> String {
        try accessTokens.mint(for: session)
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
        let id = try await accessTokens.session(of: accessToken, beforeChecking: beforeChecking)
        guard let stored = try await store.session(id), stored.session.kind == .tokens else {
            throw AccountError(.sessionEnded, "the session of this access token is gone")
        }
        return try live(stored)
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
        guard stored.ended == nil, Timestamp(environment.now()) < stored.session.expiresAt else {
            throw AccountError(.sessionEnded, "the session has ended")
        }
        return stored
    }

    // MARK: Renewing and ending

    /// Exchanges a refresh token for its successor and a new access token.
    ///
    /// The same token again, within 30 seconds and before its successor was used, gets the same successor. Later it
    /// ends the session. Throws ``AccountError/Code/refreshTokenInvalid`` or ``AccountError/Code/refreshTokenReused``.
    /// - Parameter deviceName: takes the place of the one that the session has; nil leaves it.
    public func refresh(
        _ refreshToken: String, deviceName: DeviceName? = nil, from caller: Caller = .unknown
    ) async throws -> SessionTokens {
        guard let presented = SessionSecret(received: refreshToken) else {
            throw AccountError(.refreshTokenInvalid, "not a refresh token of this service")
        }
        let now = Timestamp(environment.now())
        let successor = presented.successor(derivedWith: keys.derivingKey)
        var rotation = SessionRotation(
            session: presented.session, presented: presented.hash, successor: successor.hash, at: now,
            grace: SessionLimits.refreshGrace, idleLimit: limits.idle, absoluteLimit: limits.absolute)
        rotation.deviceName = deviceName
        let outcome = try await store.rotateSession(rotation)
        switch outcome {
        case .rotated(let stored), .repeated(let stored):
            guard stored.generation < SessionLimits.longestLine else {
                _ = try await store.endSession(
                    stored.session.id, SessionEnding(at: now, reason: .exhausted, by: .service(meeting: caller)))
                bell.ring(stored.session.accountID)
                throw AccountError(.refreshTokenInvalid, "the session's refresh token was exchanged too often")
            }
            return try tokens(for: stored.session, refreshToken: successor)
        case .gone:
            throw AccountError(.refreshTokenInvalid, "the session of this refresh token is over")
        case .mismatch(let stored):
            let isReused = await presented.isAncestor(
                of: stored.secretHash, within: stored.generation, derivedWith: keys.derivingKey)
            guard isReused else {
                throw AccountError(.refreshTokenInvalid, "no session has this refresh token")
            }
            let ending = SessionEnding(at: now, reason: .refreshTokenReused, by: .service(meeting: caller))
            if try await store.endSession(stored.session.id, ending) {
                bell.ring(stored.session.accountID)
                logger.warning(
                    "A refresh token came again: its session was ended.",
                    metadata: ["session": "\(stored.session.id)", "account": "\(stored.session.accountID)"])
            }
            throw AccountError(.refreshTokenReused, "this refresh token was used before; its session has been ended")
        }
    }

    /// Signs out: the session is refused from now on.
    public func end(_ id: SessionID, from caller: Caller = .unknown) async throws {
        let ending = SessionEnding(
            at: Timestamp(environment.now()), reason: .signedOut, by: .account(through: id, from: caller))
        guard try await store.endSession(id, ending) else { return }
        if let account = try await store.session(id)?.session.accountID { bell.ring(account) }
    }
}
