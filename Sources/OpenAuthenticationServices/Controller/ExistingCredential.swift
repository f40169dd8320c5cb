/// What a silent look has found.
package enum ExistingCredential: Sendable {
    case appleID(AppleIDCredentialValues)
    case password(user: String, password: String)
}
