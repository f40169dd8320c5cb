import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What makes a code redeemable: known, this client's, unused, at most five minutes old, with the redirect URI and the
/// verifier that belong to it. A refused attempt does not use the code up.
struct CodeRules {
    let client: ClientID
    let now: Int64
    /// Apple's list of errors names a mismatch under `invalid_client`, not under `invalid_grant` as OAuth has it.
    var redirectMismatch: AppleErrorCode = .invalidClient
    /// RFC 7636's word; Apple has none.
    var verifierMismatch: AppleErrorCode = .invalidGrant
    /// Seconds.
    var lifetime = IssuedCode.lifetime

    func check(_ request: TokenRequest.Code, _ issued: IssuedCode?) throws(Refusal) -> IssuedCode {
        guard let issued else { throw Refusal(.invalidGrant, "The code is unknown or has expired.") }
        guard issued.client == client else {
            throw Refusal(.invalidGrant, "client_id mismatch. The code was not issued to \(client).")
        }
        guard !issued.isUsed else { throw Refusal(.invalidGrant, "The code has already been used.") }
        guard !issued.isRevoked, now - issued.issuedAt <= lifetime else {
            throw Refusal(.invalidGrant, "The code has expired or has been revoked.")
        }
        guard request.redirectURI == issued.redirectURI else {
            let reason =
                switch (issued.redirectURI, request.redirectURI) {
                case (nil, _): "the code came from a device, so none may be sent"
                case (_, nil): "it is missing, and the authorization request had one"
                default: "it is not the one of the authorization request"
                }
            throw Refusal(redirectMismatch, "redirect_uri mismatch: \(reason).")
        }
        try checkVerifier(request.verifier, against: issued.codeChallenge)
        return issued
    }

    /// PKCE (RFC 7636): both sides use it, or neither does.
    private func checkVerifier(_ verifier: String?, against challenge: String?) throws(Refusal) {
        switch (challenge, verifier) {
        case (nil, nil): return
        case (nil, .some):
            throw Refusal(
                verifierMismatch, "code_verifier was sent, but the authorization request had no code_challenge.")
        case (.some, nil):
            throw Refusal(
                verifierMismatch, "code_verifier is missing, and the authorization request had a code_challenge.")
        case (let challenge?, let verifier?):
            let hash = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
            guard (43...128).contains(verifier.utf8.count), hash == challenge else {
                throw Refusal(verifierMismatch, "code_verifier does not match the code_challenge.")
            }
        }
    }
}
