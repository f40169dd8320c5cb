import AppleIDTypes

/// What a client presents at `/auth/token` beside its secret.
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

    /// Which grant, and is everything there that this grant needs. Missing credentials are refused between the two:
    /// nobody has recorded what Apple answers to a form that lacks both.
    init(_ fields: FormFields) throws(Refusal) {
        guard let name = fields["grant_type"] else { throw Refusal(.invalidRequest, "grant_type is missing.") }
        let grant = GrantType(name)
        guard [.authorizationCode, .refreshToken, .clientCredentials].contains(grant) else {
            throw Refusal(
                .unsupportedGrantType, "grant_type must be authorization_code, refresh_token or client_credentials.")
        }
        guard fields["client_id"] != nil, fields["client_secret"] != nil else {
            throw Refusal(.invalidClient, "client_id or client_secret is missing.")
        }
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
