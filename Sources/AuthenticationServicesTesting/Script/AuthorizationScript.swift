public import Foundation
public import OpenAuthenticationServices

/// A script that takes the place of sign-ins while a unit test runs: no account service, no browser, no waiting.
///
/// ```swift
/// @MainActor @Test func remembersWhoSignedIn() async {
///     let script = AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "001999.f2a7")))
///     await withAuthorizationScript(script) {
///         let model = LoginModel()
///         model.signIn()                       // makes an ASAuthorizationController and performs its request
///         await script.allAnswered()           // its delegate has been called
///         #expect(model.user == "001999.f2a7")
///     }
///     #expect(script.requests.first?.requestedScopes == [.fullName, .email])
/// }
/// ```
public final class AuthorizationScript: Sendable {
    let content: Watched<Content>

    /// - Parameters:
    ///   - answers: The answers to each asking of the person, in order; the last one again and again. If there is none,
    ///     asking fails with `notHandled`.
    ///   - existing: The credential that is found without asking.
    ///   - states: How users stand with the app; others are `notFound`.
    public init(
        _ answers: Answer..., existing: Existing = .none,
        states: [String: ASAuthorizationAppleIDProvider.CredentialState] = [:]
    ) {
        content = Watched(Content(answers: answers, existing: existing, states: states))
    }

    /// Replaces the answers that haven't been given yet.
    public func answer(with answers: Answer...) {
        content.update { $0.answers = answers }
    }

    /// The credential that is found without asking, from now on.
    public var existing: Existing {
        get { content.value.existing }
        set { content.update { $0.existing = newValue } }
    }

    /// The requests of controllers so far, oldest first. A controller that fails before it asks the person, such as one
    /// without a request, isn't in the list.
    public var requests: [Request] { content.value.requests }

    /// The number of times that a controller's delegate has been called, or would have been.
    public var answeredCount: Int { content.value.ended }

    /// Waits until this many requests were made, and returns all requests so far.
    public func requests(atLeast count: Int) async -> [Request] {
        await content.wait { $0.requests.count >= count }
        return requests
    }

    /// Waits until every controller that has performed has called its delegate.
    public func allAnswered() async {
        await content.wait { $0.ended == $0.begun }
    }

    /// Uses the script for the process's controllers that have no ``withAuthorizationScript(_:operation:)`` around
    /// them: for code that performs in a task or on a queue of its own. Tests that use it must not run beside each
    /// other.
    public func install() {
        CurrentPerformer.install(ScriptedPerformer(script: self))
    }

    /// Uninstalls the script that ``install()`` has installed.
    public static func uninstall() {
        CurrentPerformer.install(nil)
    }

    struct Content: Sendable {
        var answers: [Answer]
        var existing: Existing
        var states: [String: ASAuthorizationAppleIDProvider.CredentialState]
        var stateError: (any Error)?
        var passwordReplacement: PasswordReplacement?
        var replacedUsers: [String] = []
        var requests: [Request] = []
        var begun = 0
        var ended = 0
    }
}

extension AuthorizationScript {
    /// A request of a controller, as it stood when the controller performed it.
    public struct Request: Hashable, Sendable {
        /// The requested scopes in the app's order; empty when it set none.
        public let requestedScopes: [ASAuthorization.Scope]
        /// The request's state, which the app checks in the answer.
        public let state: String?
        /// The request's nonce, as Apple would get it.
        public let nonce: String?
        /// The user who must answer; nil for anybody.
        public let user: String?
        /// The operation that the request asks for.
        public let requestedOperation: ASAuthorization.OpenIDOperation
        /// Whether the controller wanted only credentials that need no question to the person.
        public let isSilent: Bool
        /// Whether a sign-in with Apple was among the requests; if not, all above it is empty.
        public let includesAppleID: Bool
        /// Whether a password was asked for too.
        public let includesPassword: Bool

        init(asking values: AppleIDRequestValues) {
            self.init(appleID: values, isSilent: false, includesPassword: false)
        }

        init(looking requests: ExistingCredentialRequests) {
            self.init(appleID: requests.appleID, isSilent: true, includesPassword: requests.includesPassword)
        }

        private init(appleID: AppleIDRequestValues?, isSilent: Bool, includesPassword: Bool) {
            let values = appleID ?? AppleIDRequestValues()
            requestedScopes = values.requestedScopes
            state = values.state
            nonce = values.nonce
            user = values.user
            requestedOperation = values.requestedOperation
            self.isSilent = isSilent
            includesAppleID = appleID != nil
            self.includesPassword = includesPassword
        }
    }
}

extension AuthorizationScript {
    /// The answer of the person who is asked.
    public struct Answer: Sendable {
        let credential: @Sendable (Request) async throws(ASAuthorizationError) -> ASAuthorizationAppleIDCredential

        /// Makes an answer that depends on the request, such as a token with its nonce.
        public init(
            _ credential:
                @escaping @Sendable (Request) async throws(ASAuthorizationError) ->
                ASAuthorizationAppleIDCredential
        ) {
            self.credential = credential
        }

        /// Signs in. A credential without a state gets the request's.
        ///
        /// The controller refuses a credential with another state or user than the request's, as it refuses a real one. If the
        /// identity token has `transfer_sub`, the user may be another one: here the controller can't find out whether it is
        /// the same person after a transfer, as the account service does.
        public static func success(_ credential: ASAuthorizationAppleIDCredential) -> Self {
            Self { _ throws(ASAuthorizationError) in credential }
        }

        /// Signs in with these values. It names no type of Apple's, so the test compiles on Apple's platforms too, where
        /// `ASAuthorizationAppleIDCredential` cannot be made.
        public static func credential(
            user: String, identityToken: String? = nil, authorizationCode: String? = nil,
            fullName: PersonNameComponents? = nil, email: String? = nil
        ) -> Self {
            success(
                ASAuthorizationAppleIDCredential(
                    user: user, email: email, fullName: fullName, identityToken: identityToken.map { Data($0.utf8) },
                    authorizationCode: authorizationCode.map { Data($0.utf8) }))
        }

        /// Presses Cancel on Apple's page.
        public static let cancel = failure(.canceled, reason: .cancelledAtApple)

        /// Fails with this error.
        public static func failure(_ error: ASAuthorizationError) -> Self {
            Self { _ throws(ASAuthorizationError) in throw error }
        }

        /// Fails with this code and the sentences that belong to it.
        public static func failure(
            _ code: ASAuthorizationError.Code, reason: ASAuthorizationError.Reason
        ) -> Self {
            failure(ASAuthorizationError(code, reason: reason))
        }

        /// Delays this answer until the test has sent the signal, or the app has cancelled.
        public func after(_ signal: AuthorizationSignal) -> Self {
            Self { request throws(ASAuthorizationError) in
                await signal.wait()
                return try await credential(request)
            }
        }
    }
}

extension AuthorizationScript {
    /// The credential that is found without asking.
    public enum Existing: Sendable {
        /// No credential: the request ends with `canceled` and the reason `noStoredCredential`.
        case none
        case appleID(ASAuthorizationAppleIDCredential)
        /// A password, which is found only if the app asked for a password.
        case password(ASPasswordCredential)
        case failure(ASAuthorizationError)
    }
}

extension AuthorizationScript {
    /// The answer to a request that replaces a password by Sign in with Apple.
    public enum PasswordReplacement: Sendable {
        /// The account is upgraded.
        case success
        /// The upgrade fails.
        case failure(ASAuthorizationError)
    }

    /// The answer to requests of `ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest`, from now
    /// on. Without one, they fail with `notHandled`.
    public var passwordReplacement: PasswordReplacement? {
        get { content.value.passwordReplacement }
        set { content.update { $0.passwordReplacement = newValue } }
    }

    /// The users whose passwords were to be replaced by Sign in with Apple so far, oldest first.
    public var replacedUsers: [String] { content.value.replacedUsers }
}

extension AuthorizationScript {
    /// Sets the state of this user's credential, from now on.
    public func setState(_ state: ASAuthorizationAppleIDProvider.CredentialState, forUserID userID: String) {
        content.update { $0.states[userID] = state }
    }

    /// Sets the error that accompanies every state from now on, as if the account service couldn't be reached and the states
    /// were the last known ones.
    public func setStateError(_ error: (any Error)?) {
        content.update { $0.stateError = error }
    }

    /// Makes the person stop using the app with Apple: their state becomes `revoked`, and the process gets the notification.
    @MainActor public func revoke(userID: String) {
        setState(.revoked, forUserID: userID)
        NotificationCenter.default.post(
            name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
    }
}

/// Runs the operation with this script for every controller and provider that is used in its task and child tasks.
/// Tests beside each other have each their own.
public func withAuthorizationScript<Result>(
    _ script: AuthorizationScript, operation: () async throws -> Result
) async rethrows -> Result {
    try await CurrentPerformer.$scoped.withValue(ScriptedPerformer(script: script), operation: operation)
}

/// Runs a synchronous operation with the script in place of sign-ins.
public func withAuthorizationScript<Result>(
    _ script: AuthorizationScript, operation: () throws -> Result
) rethrows -> Result {
    try CurrentPerformer.$scoped.withValue(ScriptedPerformer(script: script), operation: operation)
}
