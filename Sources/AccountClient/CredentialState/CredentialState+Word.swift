#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

typealias CredentialState = ASAuthorizationAppleIDProvider.CredentialState

extension ASAuthorizationAppleIDProvider.CredentialState {
    /// - Parameter word: the account service's; nil comes of one that this library does not know yet.
    init?(word: String) {
        switch word {
        case "authorized": self = .authorized
        case "revoked": self = .revoked
        case "notFound": self = .notFound
        case "transferred": self = .transferred
        default: return nil
        }
    }
}

extension AppleStanding {
    /// Whether the person has stopped using the app with their Apple Account, or that is gone.
    var isEnded: Bool { state == "revoked" || state == "notFound" }
}
