import AppleIDTypes

/// What a person's Continue leads to, before anything is signed.
struct Authorization: Sendable {
    let code: AuthorizationCode
    let grant: Grant
    /// What the person was asked for, the first time, and so what the client is told beside the token.
    let asked: Set<Scope>
    /// Of the token beside the code; nil when none was asked for.
    let claims: IdentityTokenClaims?
    /// The `user` field, the first time only.
    let user: String?
}
