public import AppleIDTypes
import Crypto
import StrictJWS

/// The secret of one web sign-in, without which nobody can redeem its code (RFC 7636).
///
/// Keep it with the attempt. Printing or mirroring it does not show it.
public struct CodeVerifier: Hashable, Sendable, Redacted {
    /// The secret, to be sent when the code is exchanged.
    public let rawValue: String

    /// Creates a verifier from text that was kept. ``AppleIDClient/makeCodeVerifier()`` makes a new one.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The challenge for ``AuthorizationRequest/codeChallenge``: the S256 of RFC 7636 §4.2.
    public var challenge: String { Base64URL.text(Array(SHA256.hash(data: Array(rawValue.utf8)))) }
}

extension AppleIDClient {
    /// Makes a nonce for one sign-in, which nobody can guess. Keep it for ten minutes or so, and delete it when it is
    /// used.
    ///
    /// It has 43 characters of base64url, made from 32 bytes of ``AppleIDEnvironment/randomBytes``. State and code
    /// verifier are made in the same way.
    public func makeNonce() -> String { randomText() }

    /// Makes a state for ``AuthorizationRequest/state``.
    ///
    /// Keep it where only the browser's own request finds it, in a cookie or beside one, and compare by
    /// ``AuthorizationResponse/hasState(_:)``.
    public func makeState() -> String { randomText() }

    /// Makes a code verifier, so that only this server can redeem the code.
    public func makeCodeVerifier() -> CodeVerifier { CodeVerifier(randomText()) }

    private func randomText() -> String { Base64URL.text(environment.randomBytes(32)) }
}
