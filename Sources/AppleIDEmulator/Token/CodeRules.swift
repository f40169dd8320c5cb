import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The rules for redeeming a code. A refused attempt doesn't use the code up.
struct CodeRules {
    let now: Int64
    /// The error for a `redirect_uri` that differs: `invalid_grant`, as two projects recorded it.
    var redirectMismatch = Behaviour.RedirectMismatch.invalidGrant
    /// RFC 7636's word; Apple has none.
    var verifierMismatch = Behaviour.VerifierMismatch.invalidGrant
    /// Seconds.
    var lifetime = IssuedCode.lifetime

    /// Refuses a code that nobody can redeem: unknown, used, too old, or revoked.
    func checkIsLive(_ issued: IssuedCode?) throws(Refusal) -> IssuedCode {
        guard let issued else { throw Self.dead }
        guard !issued.isUsed else { throw Refusal(.invalidGrant, "The code has already been used.") }
        guard !issued.isRevoked, now - issued.issuedAt <= lifetime else { throw Self.dead }
        return issued
    }

    /// Refuses a live code that doesn't belong to the client, the redirect URI, or the verifier.
    func check(_ issued: IssuedCode, _ request: TokenRequest.Code, from client: ClientID) throws(Refusal) {
        guard issued.client == client else {
            throw Refusal(.invalidGrant, "client_id mismatch. The code was not issued to \(client).")
        }
        try checkRedirectURI(request.redirectURI, against: issued.redirectURI)
        try checkVerifier(request.verifier, against: issued.codeChallenge)
    }

    /// The refusal of a code that is unknown, too old, or revoked. Apple doesn't say which.
    static var dead: Refusal { Refusal(.invalidGrant, "The code has expired or has been revoked.") }

    private func checkRedirectURI(_ sent: String?, against asked: String?) throws(Refusal) {
        guard sent != asked else { return }
        let reason =
            switch (asked, sent) {
            case (nil, _): "the code came from a device, so the exchange must not send a redirect_uri"
            case (_, nil): "the redirect_uri is missing, and the authorization request had one"
            default: "the redirect_uri is not the one of the authorization request"
            }
        // Nobody has recorded the description for a redirect_uri that is missing.
        throw Refusal(
            redirectMismatch.code,
            "redirect_uri mismatch. The code was not issued to \(sent ?? "an empty redirect_uri").",
            reason: "redirect_uri mismatch: \(reason).")
    }

    /// PKCE (RFC 7636): both sides use it, or neither does.
    private func checkVerifier(_ verifier: String?, against challenge: String?) throws(Refusal) {
        switch (challenge, verifier) {
        case (nil, nil): return
        case (nil, .some):
            throw Refusal(
                verifierMismatch.code, "code_verifier was sent, but the authorization request had no code_challenge.")
        case (.some, nil):
            throw Refusal(
                verifierMismatch.code, "code_verifier is missing, and the authorization request had a code_challenge.")
        case (let challenge?, let verifier?):
            let hash = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
            guard (43...128).contains(verifier.utf8.count), hash == challenge else {
                throw Refusal(verifierMismatch.code, "code_verifier does not match the code_challenge.")
            }
        }
    }
}

extension Behaviour.RedirectMismatch {
    fileprivate var code: Refusal.Code {
        switch self {
        case .invalidGrant: .invalidGrant
        case .invalidClient: .invalidClient
        }
    }
}

extension Behaviour.VerifierMismatch {
    fileprivate var code: Refusal.Code {
        switch self {
        case .invalidGrant: .invalidGrant
        case .invalidRequest: .invalidRequest
        }
    }
}
