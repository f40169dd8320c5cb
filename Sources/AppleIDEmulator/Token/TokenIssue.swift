import AppleIDTypes

/// New values for one answer of the token endpoint; used only if the request is good.
struct FreshTokens: Sendable {
    let accessToken: String
    let refreshToken: String

    init(_ randomness: Randomness) {
        accessToken = randomness.token("a")
        refreshToken = randomness.token("r")
    }
}

/// What the token endpoint hands out, before anything is signed.
struct TokenIssue: Sendable {
    let accessToken: String
    /// Of a code only. A refresh gives no new one: Apple does not rotate.
    let refreshToken: String?
    /// Nil when no person is behind it.
    let claims: IdentityTokenClaims?
}
