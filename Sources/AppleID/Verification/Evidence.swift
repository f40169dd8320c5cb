import AppleIDTransport
import AppleIDTypes
import Crypto
import StrictJWS

/// All that is known of one token so far. Each rule adds to it or judges by it, and refuses the token if something that
/// it needs is missing. Never copied: there is one for each verification.
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

    /// - Parameter key: the one that the token names, where it was looked up before.
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
