import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /auth/token`: tokens for a code, for a refresh token, or for the client itself.
struct TokenEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func token(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let issued = try await core.issueTokens(for: request.clientFields())
        let isLowercase = core.current.behaviour.tokenType == .lowercase
        return .uncachedJSON(
            .object([
                ("access_token", .string(issued.accessToken)),
                ("token_type", .string(isLowercase ? "bearer" : "Bearer")),
                ("expires_in", .integer(IssuedAccessToken.lifetime)),
                ("refresh_token", .string(issued.refreshToken)),
                ("id_token", .string(try issued.claims.map(core.signIdentityToken))),
            ]))
    }
}

extension EmulatorCore {
    /// Checks the grant, then the client, and issues the tokens. The refresh token is in the state file by then.
    func issueTokens(for fields: FormFields) async throws -> IssuedTokens {
        let request = try TokenRequest(fields)
        let issued: IssuedTokens
        do {
            issued = try redeem(request, of: fields)
        } catch {
            // A refused step changes nothing. The end of the tokens is a step of its own.
            if case .code(let code) = request { try await endTokens(ofReused: code.code.rawValue, by: fields) }
            throw error
        }
        try await saveState()
        return issued
    }

    private func redeem(_ request: TokenRequest, of fields: FormFields) throws(Refusal) -> IssuedTokens {
        let now = environment.seconds
        let state = current
        if state.behaviour.firstCheck != .client { try state.checkGrantIsLive(request, at: now) }
        var isForMigration = false
        if case .credentials = request { isForMigration = true }
        let client = try client(of: fields, forMigration: isForMigration)
        let new = NewTokens(randomness)
        return try step { (state) throws(Refusal) in try state.redeem(request, for: client, new: new, at: now) }
    }

    /// Ends the tokens of the first use when a client sends its used code again: ``Behaviour/reusedCodeEndsTokens``.
    private func endTokens(ofReused code: String, by fields: FormFields) async throws {
        guard current.behaviour.reusedCodeEndsTokens else { return }
        let client: Registry.Client
        do throws(Refusal) {
            client = try self.client(of: fields)
        } catch {
            // Only the code's own client may end anything. The refusal of the code stands.
            return
        }
        let now = environment.seconds
        try step { $0.endTokens(ofReused: code, for: client.id, at: now) }
        try await saveState()
    }

    /// Returns the client that sent this form, by its `client_id` and a good `client_secret`.
    /// - Parameter forMigration: takes also the keys of a team that gave the app away.
    func client(of fields: FormFields, forMigration: Bool = false) throws(Refusal) -> Registry.Client {
        let state = current
        let keys = forMigration ? state.transfers.formerKeys : [:]
        return try ClientSecretRules(registry: state.registry, now: environment.seconds, formerKeys: keys)
            .check(fields["client_secret"] ?? "", clientID: fields["client_id"] ?? "")
    }
}

/// The grant that a client presents at `/auth/token` beside its secret.
enum TokenRequest: Sendable {
    struct Code: Sendable {
        let code: AuthorizationCode
        let redirectURI: String?
        let verifier: String?
    }

    case code(Code)
    case refresh(String)
    /// The scope that a client asks for itself.
    case credentials(scope: String?)

    /// Reads the grant and checks that its parameters are there. Missing credentials are refused between the two:
    /// nobody has recorded what Apple answers to a form that lacks both.
    init(_ fields: FormFields) throws(Refusal) {
        guard let name = fields["grant_type"] else { throw Refusal(.invalidRequest, "grant_type is missing.") }
        let grant = GrantType(name)
        guard [.authorizationCode, .refreshToken, .clientCredentials].contains(grant) else {
            throw Refusal(
                .unsupportedGrantType, "grant_type must be authorization_code, refresh_token or client_credentials.")
        }
        try fields.checkHasClient()
        switch grant {
        case .authorizationCode:
            guard let code = fields["code"] else { throw Refusal(.invalidRequest, "code is missing.") }
            self = .code(
                Code(
                    code: AuthorizationCode(code), redirectURI: fields["redirect_uri"],
                    verifier: fields["code_verifier"]))
        case .refreshToken:
            guard let token = fields["refresh_token"] else {
                throw Refusal(.invalidRequest, "refresh_token is missing.")
            }
            self = .refresh(token)
        default:
            self = .credentials(scope: fields["scope"])
        }
    }
}
