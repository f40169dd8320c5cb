import AppleID
import AppleIDTypes

extension Authorizations {
    /// Gives the app its credential, once.
    ///
    /// A verifier that RFC 7636 does not know is ``AccountError/Code/requestInvalid``, and nothing is looked up. Else,
    /// with a handle it throws ``AccountError/Code/handleInvalid``, whatever is wrong. With a device code
    /// ``AccountError/Code/authorizationPending``, ``AccountError/Code/slowDown``,
    /// ``AccountError/Code/authorizationDenied``, ``AccountError/Code/authorizationExpired``,
    /// ``AccountError/Code/authorizationUnknown``, or ``AccountError/Code/handleInvalid`` when it is spent, as it is by
    /// a wrong verifier.
    public func redeem(_ redemption: Redemption) async throws -> AuthorizationCredential {
        let challenge = try Self.challenge(of: redemption.codeVerifier)
        let moment = now
        let code = OwnCode(randomness: environment.randomBytes(32))
        let outcome = try await store.redeemAuthorization(
            AuthorizationRedemption(
                key: redemption.key.hashed, challenge: challenge, codeHash: code.hash,
                codeExpiresAt: moment + OwnCode.lifetime, slowDown: Self.pollInterval, at: moment))
        switch (outcome, redemption.key) {
        case (.redeemed(let authorization), _):
            return try credential(of: authorization, code)
        case (_, .handle), (.spent, _):
            throw AccountError(.handleInvalid, "the handle is unknown, spent or expired, or the verifier is wrong")
        case (.unknown, _):
            throw AccountError(.authorizationUnknown, "no authorization has this device code")
        case (.pending, _):
            throw AccountError(.authorizationPending, "the person is not done")
        case (.tooSoon, _):
            throw AccountError(.slowDown, "the device asks too often")
        case (.expired, _), (.failed(.withdrawn), _), (.failed(.expired), _):
            throw AccountError(.authorizationExpired, "the device code is too old")
        case (.failed(let failure), _):
            throw AccountError(.authorizationDenied, "the authorization came to nothing: \(failure)")
        }
    }

    private func credential(
        of authorization: StoredAuthorization, _ code: OwnCode
    ) throws -> AuthorizationCredential {
        guard case .finished(let finish) = authorization.end else {
            throw AccountError(.unavailable, "an authorization was redeemed that holds nothing")
        }
        let result = try seal.openResult(finish, of: authorization.id)
        let state = try authorization.sealedState.map { sealed in
            String(decoding: try seal.open(sealed, row: authorization.id.rawValue, client: "state"), as: UTF8.self)
        }
        return AuthorizationCredential(
            user: Subject(result.user), identityToken: result.identityToken,
            authorizationCode: AuthorizationCode(result.appleCode ?? code.text), email: result.email,
            name: result.name, scopes: authorization.scopes, state: state)
    }

    // MARK: Giving up

    /// Ends an authorization that its app has given up. What a finish brought for the app is dropped, as long as nobody
    /// has redeemed it; an authorization that is not there, failed or was redeemed stays as it is.
    ///
    /// Throws ``AccountError/Code/requestInvalid`` for a verifier that RFC 7636 does not know.
    public func cancel(_ cancellation: AuthorizationCancellation) async throws {
        let challenge = try Self.challenge(of: cancellation.codeVerifier)
        let authorization: StoredAuthorization?
        switch cancellation.key {
        case .id(let text):
            guard let id = AuthorizationID(receivedText: text) else { return }
            authorization = try await store.authorization(id)
        case .deviceCode(let code):
            authorization = try await store.authorization(deviceCode: TokenHash(of: code))
        }
        guard let authorization, authorization.challenge == challenge else { return }
        _ = try await store.withdrawAuthorization(authorization.id, at: now)
    }

    /// RFC 7636 §4.1 and §4.2: 43 to 128 unreserved characters, and their SHA-256.
    private static func challenge(of verifier: String) throws(AccountError) -> TokenHash {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.unreserved.contains) else {
            throw AccountError(
                .requestInvalid, "a code verifier has 43 to 128 unreserved characters", field: "codeVerifier")
        }
        return TokenHash(of: verifier)
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
}

extension Redemption.Key {
    fileprivate var hashed: AuthorizationRedemption.Key {
        switch self {
        case .handle(let handle): .handle(TokenHash(of: handle))
        case .deviceCode(let code): .deviceCode(TokenHash(of: code))
        }
    }
}
