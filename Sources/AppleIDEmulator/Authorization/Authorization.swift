import AppleIDTypes

/// What a person's Continue leads to, before anything is signed.
struct Authorization: Sendable {
    let code: AuthorizationCode
    /// Of the token beside the code; nil when none was asked for.
    let claims: IdentityTokenClaims?
    /// The `user` field, the first time only.
    let user: String?
}
