public import AppleIDTypes
import Crypto

/// The secret of one web sign-in that only the server which began it can redeem the code with (RFC 7636). Keep it with
/// the attempt. Printing or mirroring it does not show it.
public struct CodeVerifier: Hashable, Sendable, Redacted {
    /// For ``AppleIDClient/exchange(code:client:nonce:redirectURI:codeVerifier:)``.
    public let rawValue: String

    /// For one that was kept; ``AppleIDClient/makeCodeVerifier()`` makes a new one.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// For ``AuthorizationRequest/codeChallenge``: the S256 of RFC 7636 §4.2.
    public var challenge: String { Base64URL.text(Array(SHA256.hash(data: Array(rawValue.utf8)))) }
}
