public import Foundation

/// Makes requests to sign in with Apple, and tells how a user of this app stands with it.
///
/// Sendable: it stores nothing.
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    // Sendable: it keeps nothing.

    /// Makes a provider.
    public override init() {}

    /// Makes a request to sign in with Apple.
    open func createRequest() -> ASAuthorizationAppleIDRequest {
        ASAuthorizationAppleIDRequest(provider: self)
    }

    /// Asks how this user stands with the app; meant for each launch and each return to the foreground.
    ///
    /// - Parameter completion: Called once, on no particular queue. An error beside a state other than `notFound`
    ///   says that the account service could not be asked and the state is the last one known. An empty user is
    ///   `notFound` without an error; so is a user that never signed in here. Without an account service it is
    ///   `notFound` with the error `notHandled`.
    @preconcurrency
    open func getCredentialState(
        forUserID userID: String, completion: @escaping @Sendable (CredentialState, (any Error)?) -> Void
    ) {
        // Read here and not in the task, so that it is the caller's.
        let performer = CurrentPerformer.value
        Task {
            let answer = await Self.credentialState(forUserID: userID, performer: performer)
            completion(answer.state, answer.error)
        }
    }

    /// Asks for a user's credential state. A last known state is returned when the account service could not be asked.
    ///
    /// A subclass that overrides the other method answers here too, since Apple's are one method.
    ///
    /// - Throws: The error that prevented an answer, if no state is known.
    open func credentialState(forUserID userID: String) async throws -> CredentialState {
        let answer = await withCheckedContinuation { continuation in
            getCredentialState(forUserID: userID) { continuation.resume(returning: (state: $0, error: $1)) }
        }
        if answer.state == .notFound, let error = answer.error { throw error }
        return answer.state
    }

    /// Posted on `NotificationCenter.default`, on the main actor and without an object, when a person has stopped using
    /// the app with Apple: by an `AccountClient` that hears of it, an installed one soon after Apple has told.
    open class var credentialRevokedNotification: NSNotification.Name {
        NSNotification.Name("ASAuthorizationAppleIDCredentialRevokedNotification")
    }
}

extension ASAuthorizationAppleIDProvider {
    /// The state of a user's credential for the app.
    public enum CredentialState: Int, Sendable {
        /// The person has stopped using the app with Apple: sign them out. Never the answer to a failure.
        case revoked = 0
        /// The person uses the app with their Apple Account.
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
