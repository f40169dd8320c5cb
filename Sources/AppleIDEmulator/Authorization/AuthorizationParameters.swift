/// An authorization request as it came in, from a browser's query or from the control call. Nothing is decided yet.
struct AuthorizationParameters: Sendable {
    var clientID: String?
    var redirectURI: String?
    var responseType: String?
    var responseMode: String?
    var scope: String?
    var state: String?
    var nonce: String?
    var codeChallenge: String?
    var codeChallengeMethod: String?
}

extension AuthorizationParameters {
    /// Other parameters are ignored, as Apple ignores `frame_id`, `m` and `v` of its own script.
    init(_ fields: FormFields) {
        clientID = fields["client_id"]
        redirectURI = fields["redirect_uri"]
        responseType = fields["response_type"]
        responseMode = fields["response_mode"]
        scope = fields["scope"]
        state = fields.verbatim("state")
        nonce = fields["nonce"]
        codeChallenge = fields["code_challenge"]
        codeChallengeMethod = fields["code_challenge_method"]
    }
}
