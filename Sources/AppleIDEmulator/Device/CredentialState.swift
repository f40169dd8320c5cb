/// What a device says of a user identifier, with the framework's names and numbers.
enum CredentialState: Int64, Sendable {
    case revoked = 0
    case authorized = 1
    case notFound = 2
    case transferred = 3
}
