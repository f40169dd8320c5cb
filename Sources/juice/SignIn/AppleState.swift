/// Whether the person still uses Juice with their Apple Account. Who does not is signed out.
enum AppleState: Hashable, Sendable {
    case authorized
    /// The app has moved to another team of developers; the account stays.
    case transferred
}
