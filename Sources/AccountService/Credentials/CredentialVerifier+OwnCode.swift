import AppleID
import AppleIDTypes

/// A code of ours in the place of Apple's: `siwa_c1.` and 32 random bytes in base64url. Only its hash is kept.
struct OwnCode: Hashable, Sendable, Redacted {
    static let prefix = "siwa_c1."
    static let lifetime: Duration = .minutes(5)

    let text: String

    /// - Parameter randomness: 32 bytes.
    init(randomness: [UInt8]) {
        precondition(randomness.count == 32)
        text = Self.prefix + Base64URL.text(randomness)
    }

    /// Whether a code claims to be one of ours: such a one never goes to Apple.
    static func isOurs(_ code: AuthorizationCode) -> Bool {
        code.rawValue.hasPrefix(prefix)
    }

    var hash: TokenHash { Self.hash(of: AuthorizationCode(text)) }

    static func hash(of code: AuthorizationCode) -> TokenHash { TokenHash(of: code.rawValue) }
}

/// The verification of a credential that an app has from one of our authorizations: Apple is not asked again.
extension CredentialVerifier {
    /// Proves the credential that one of our authorizations has brought.
    func prove(
        ownCode code: AuthorizationCode, of request: NativeSignIn, for purpose: CredentialPurpose
    ) async throws -> ProvenCredential {
        let nonce = try nonce(of: request, for: purpose)
        let moment = now
        let (authorization, finish) = try await authorization(ofOwnCode: code, at: moment)
        let app = configuration.apps.first { $0.id == authorization.app }
        if request.identityToken == nil {
            guard let client = request.clientID, app?.clientIDs.contains(client) == true else {
                throw AccountError(
                    .requestInvalid, "a code without identity token needs a client of its app", field: "clientID")
            }
        }
        let result = try authorizationSeal.openResult(finish, of: authorization.id)
        let identity = try await verify(
            request.identityToken ?? result.identityToken, nonce: nonce, of: authorization)
        guard TokenHash(bytes: identity.signingInputDigest) == finish.tokenHash else {
            throw AccountError(.identityMismatch, "the identity token is not the one that the code was given with")
        }
        try requireFresh(identity, at: moment)
        try requirePersonAndNonce(of: identity, for: purpose)
        let person = try person(of: identity)
        try await checkNewWayIn(for: person, of: identity, purpose)
        let usedNonce = nonce?.usedCredential(audience: identity.audience, until: moment + Self.usedCredentialLifetime)
        return ProvenCredential(
            at: moment, client: identity.audience, person: person,
            name: request.name ?? result.name,
            used: usedCredentials(token: identity, nonce: usedNonce, code: code, at: moment),
            hasNonceProof: identity.nonce == .matched,
            ownCode: SignInRecord.UsedOwnCode(authorization: authorization.id, hash: OwnCode.hash(of: code)),
            apple: RedeemedCode(appleToken: finish.appleToken))
    }

    /// Looks up a code of ours that came without anything else, for somebody who is signed in.
    /// - Returns: the subject of the person whom the code is about, the client, the record that uses the code up, and the
    ///   token of Apple's that the code stands for.
    func redeem(
        ownCode code: AuthorizationCode, at moment: Timestamp
    ) async throws -> (subject: Subject, client: ClientID, ownCode: SignInRecord.UsedOwnCode, token: AppleToken?) {
        let (authorization, finish) = try await authorization(ofOwnCode: code, at: moment)
        let result = try authorizationSeal.openResult(finish, of: authorization.id)
        return (
            Subject(result.user), authorization.clientID,
            SignInRecord.UsedOwnCode(authorization: authorization.id, hash: OwnCode.hash(of: code)), finish.appleToken
        )
    }

    /// Returns the finished authorization that one of our codes stands for. The transaction that uses the code uses it
    /// up.
    private func authorization(
        ofOwnCode code: AuthorizationCode, at moment: Timestamp
    ) async throws -> (StoredAuthorization, AuthorizationFinish) {
        try await requireUnused(usedCredentials(token: nil, nonce: nil, code: code, at: moment), at: moment)
        guard let authorization = try await store.authorization(ownCode: OwnCode.hash(of: code)),
            case .finished(let finish) = authorization.end, let expiry = authorization.codeExpiresAt, moment < expiry
        else {
            // It stands in the place of Apple's code, and so does the refusal.
            throw AppleIDError(.grantRejected, "the authorization code is unknown, used or expired")
        }
        return (authorization, finish)
    }

    /// Verifies the identity token that came with a code of ours. Its audience is the client of the authorization, which may
    /// be a Services ID that other tokens of apps must not have.
    private func verify(
        _ token: String, nonce: ClientNonce?, of authorization: StoredAuthorization
    ) async throws -> VerifiedIdentity {
        guard authorization.nonce == nil || nonce != nil else {
            throw AppleIDError(.nonceMissing, "the identity token carries a nonce, and the request has none")
        }
        return try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [authorization.clientID], nonce: nonce?.expectation ?? .noneSent))
    }
}
