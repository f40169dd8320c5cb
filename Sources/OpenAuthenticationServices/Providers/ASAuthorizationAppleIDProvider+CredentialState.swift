extension ASAuthorizationAppleIDProvider {
    /// How a user stands with the app.
    public enum CredentialState: Int, Sendable {
        /// The person has stopped using the app with Apple: sign them out. Never the answer to a failure.
        case revoked = 0
        case authorized = 1
        /// Nothing is known of this user here: show the sign-in.
        case notFound = 2
        /// The app now belongs to another team: perform a request with this user set.
        case transferred = 3
    }

    static func credentialState(
        forUserID userID: String, performer: (any AuthorizationPerformer)?
    ) async -> (state: CredentialState, error: (any Error)?) {
        guard !userID.isEmpty else { return (.notFound, nil) }
        guard let performer else { return (.notFound, ASAuthorizationError(.notHandled, reason: .notConfigured)) }
        return await performer.credentialState(forUserID: userID)
    }
}
