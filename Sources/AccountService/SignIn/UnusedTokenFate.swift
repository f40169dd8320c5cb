/// What became of a refresh token that no sign-in uses.
enum UnusedTokenFate: String, Sendable {
    case kept
    /// In the outbox.
    case revocation
    /// In the outbox, to be verified.
    case waiting
    case left
}
