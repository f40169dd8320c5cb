/// Stands for the token of another provider's own library.
struct AccessToken: Sendable {
    static let current: AccessToken? = AccessToken(tokenString: "a token of another provider's")

    let tokenString: String
}
