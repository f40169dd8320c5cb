import AppleIDTypes

/// What a client presents at `/auth/revoke` beside its secret.
struct RevocationRequest: Sendable {
    enum Hint: String, Sendable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    let token: String
    let hint: Hint?

    init(_ fields: FormFields) throws(Refusal) {
        guard let token = fields["token"] else { throw Refusal(.invalidRequest, "token is missing.") }
        self.token = token
        guard let word = fields["token_type_hint"] else {
            hint = nil
            return
        }
        guard let hint = Hint(rawValue: word) else {
            throw Refusal(.invalidRequest, "token_type_hint must be access_token or refresh_token.")
        }
        self.hint = hint
    }
}
