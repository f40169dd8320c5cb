import AppleID

extension Sessions {
    /// For how long a session that ended by Apple's word may still ask what became of its credential.
    public static let afterlife: Duration = .days(30)

    /// The session of an access token, as ``authenticate(accessToken:)`` finds it; or one that ended because of what
    /// Apple said, for ``afterlife``: then its access token counts however old it is, while the key that signed it is
    /// known, and so does its last refresh token, whatever key is.
    ///
    /// For two calls alone: the state of the caller's own credential, and the events of before its session's end. A
    /// refresh token of a live session is refused: it is for refreshing.
    ///
    /// Throws ``AccountError/Code/tokenInvalid``, ``AccountError/Code/accessTokenExpired`` or
    /// ``AccountError/Code/sessionEnded``.
    /// - Parameter beforeChecking: as there, and before a refresh token is looked at.
    public func authenticateEvenEnded(
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
        guard origin != .forged, let stored = try await store.session(secret.session), stored.session.kind == .tokens,
            mayStillAsk(stored)
        else { throw Self.notEndedByApple }
        // A client whose last answer was lost holds the token before the last.
        let successor = secret.successor(generation: stored.generation, derivedWith: keys)
        let formerSuccessor = secret.formerSuccessor(derivedWith: keys)
        guard [secret.hash, successor.hash, formerSuccessor.hash].contains(stored.secretHash) else {
            throw Self.notEndedByApple
        }
        return stored
    }

    private static var notEndedByApple: AccountError {
        AccountError(.tokenInvalid, "not the refresh token of a session that Apple ended")
    }

    private func mayStillAsk(_ stored: StoredSession) -> Bool {
        guard let ended = stored.ended, ended.reason.isAppleWord else { return false }
        return Timestamp(environment.now()) - ended.at < Self.afterlife
    }
}

extension SessionEndReason {
    /// Whether Apple ended the session, and neither the person nor this service.
    public var isAppleWord: Bool {
        [.appleConsentRevoked, .appleAccountDeleted, .appleGrantDead].contains(self)
    }
}
