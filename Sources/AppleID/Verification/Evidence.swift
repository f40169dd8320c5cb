import AppleIDTransport
import AppleIDTypes
import Crypto
import StrictJWS

/// The facts about one token so far. Each rule adds a fact or checks one, and refuses the token if a fact that it needs
/// is missing. It is never copied: each verification has its own.
struct Evidence: ~Copyable {
    /// The values that the caller expects.
    struct Expectation {
        var issuers: AcceptedIssuers
        var audiences: Set<ClientID>
        var nonce: NonceExpectation?
        var acceptsUnsupportedNonce = false
        var authorizationCode: BindingExpectation?
        var accessToken: BindingExpectation?
        /// Seconds since 1970.
        var now: Int64
    }

    let token: [UInt8]
    let expectation: Expectation

    /// Set by ``FormRule``.
    var parts: TokenParts?
    /// Set by ``HeaderRule``.
    var header: TokenHeader?
    /// Set by ``KeyRule``.
    var key: ApplePublicKey?
    /// Set by ``SignatureRule``.
    var digest: SHA256Digest?
    /// Set by ``PayloadRule``.
    var claims: TokenClaims?
    /// Set by ``AudienceRule``.
    var audience: String?
    /// Set by ``NonceRule``.
    var nonce: NonceResult?
    /// Set by ``EventsRule``.
    var event: NotificationEvent?

    /// - Parameter key: the key that the token names, if it is known already.
    init(token: String, expectation: Expectation, key: ApplePublicKey? = nil) {
        self.token = Array(token.utf8)
        self.expectation = expectation
        self.key = key
    }

    /// The claims, which a rule about a claim finds read.
    func readClaims() throws(AppleIDError) -> TokenClaims {
        guard let claims else { throw AppleIDError(.malformedToken, "the payload has not been read") }
        return claims
    }
}
