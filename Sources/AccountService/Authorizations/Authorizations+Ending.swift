import AppleID
import AppleIDTypes

extension Authorizations {
    /// For the last page in the browser that was at Apple.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` or ``AccountError/Code/browserMismatch``.
    public func ending(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> AuthorizationEnding {
        let authorization = try await ended(id, in: browser)
        return AuthorizationEnding(
            appName: name(of: authorization), next: next(after: authorization), failure: authorization.failure)
    }

    /// Where the browser returns to the app: its redirect URI with a fresh handle, or with the error.
    ///
    /// Works for two minutes after the end and while nothing was redeemed, only in the browser that was at Apple; a
    /// handle made before is dead from then on. Throws ``AccountError/Code/authorizationUnknown``,
    /// ``AccountError/Code/authorizationExpired`` or ``AccountError/Code/browserMismatch``.
    public func returnLocation(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> String {
        let authorization = try await ended(id, in: browser)
        guard let redirectURI = authorization.redirectURI, case .returnToApp = next(after: authorization) else {
            throw AccountError(.authorizationExpired, "there is no way back to the app any more")
        }
        if let failure = authorization.failure {
            return ReturnTarget.location(redirectURI, adding: "error=\(failure)&id=\(id)")
        }
        let handle = Base64URL.text(environment.randomBytes(32))
        let moment = now
        let isGiven = try await store.giveHandle(
            TokenHash(of: handle), expiresAt: moment + Self.handleLifetime, to: id,
            endedAfter: moment - Self.returnWindow)
        guard isGiven else {
            throw AccountError(.authorizationExpired, "the app has its answer already")
        }
        return ReturnTarget.location(redirectURI, adding: "handle=\(handle)&id=\(id)")
    }

    /// The ending is for the browser that brought it about; whoever else knows the id learns nothing.
    private func ended(_ id: AuthorizationID, in browser: BrowserSecret?) async throws -> StoredAuthorization {
        guard let authorization = try await store.authorization(id) else {
            throw AccountError(.authorizationUnknown, "there is no such authorization")
        }
        guard authorization.end != nil || now >= authorization.expiresAt else {
            throw AccountError(.authorizationUnknown, "the authorization has not ended")
        }
        if let hash = authorization.browserHash {
            guard let browser, browser.hash == hash else {
                throw AccountError(
                    .browserMismatch, "the authorization was another browser's, or its cookie is missing")
            }
        }
        return authorization
    }

    private func next(after authorization: StoredAuthorization) -> AuthorizationEnding.Next {
        guard let endedAt = authorization.endedAt else { return .over }
        guard authorization.failure != .withdrawn else { return .withdrawn }
        guard authorization.redirectURI != nil else { return .returnToDevice }
        // Without a browser that was at Apple nobody may be sent anywhere.
        guard authorization.redeemedAt == nil, authorization.browserHash != nil else { return .over }
        let until = endedAt + Self.returnWindow
        return now < until ? .returnToApp(until: until) : .over
    }
}

extension StoredAuthorization {
    var failure: AuthorizationFailure? {
        if case .failed(let failure) = end { failure } else { nil }
    }
}
