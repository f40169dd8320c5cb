import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /.well-known/openid-configuration`, with the content of Apple's. Like Apple's, it doesn't list everything that
/// works: `code id_token` and PKCE are missing.
struct DiscoveryEndpoint: Sendable {
    /// The issuer that discovery named for a while in June 2025, and that no token had.
    static let accountIssuer = "https://account.apple.com"
    /// Stands for the other host that Apple redirected discovery to.
    static let otherPath = "/account.apple.com/.well-known/openid-configuration"

    let core: EmulatorCore

    @Sendable func configuration(_ request: Request, _ context: EmulatorContext) -> Response {
        guard core.current.behaviour.redirectsDiscovery else { return answer() }
        return Response(status: .found, headers: [.location: core.portal.baseURL + Self.otherPath])
    }

    @Sendable func otherConfiguration(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    private func answer() -> Response {
        let portal = core.portal
        let saysAccount = core.current.behaviour.discoveryIssuer == .accountDomain
        return .json([
            ("issuer", .string(saysAccount ? Self.accountIssuer : portal.issuer)),
            ("authorization_endpoint", .string(portal.baseURL + "/auth/authorize")),
            ("token_endpoint", .string(portal.baseURL + "/auth/token")),
            ("revocation_endpoint", .string(portal.baseURL + "/auth/revoke")),
            ("jwks_uri", .string(portal.baseURL + "/auth/keys")),
            ("response_types_supported", list("code")),
            ("response_modes_supported", list("query", "fragment", "form_post")),
            ("subject_types_supported", list("pairwise")),
            ("id_token_signing_alg_values_supported", list("RS256")),
            ("scopes_supported", list("openid", "email", "name")),
            ("token_endpoint_auth_methods_supported", list("client_secret_post")),
            (
                "claims_supported",
                list(
                    "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce",
                    "nonce_supported", "real_user_status", "sub", "transfer_sub")
            ),
        ])
    }

    private func list(_ words: String...) -> JSONText { .array(words.map { .string($0) }) }
}

/// `GET /emulator-root.pem`: the certificate that clients must trust when the emulator has made its own.
struct RootCertificateEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func root(_ request: Request, _ context: EmulatorContext) throws -> Response {
        guard let root = core.configuration.rootCertificate else {
            throw Refusal(.notFound, "The emulator has no certificate authority of its own.")
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-pem-file", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: root)))
    }
}
