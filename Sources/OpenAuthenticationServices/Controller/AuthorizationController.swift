/// Performs requests in async code, as SwiftUI views of Apple's platforms do with the value from their environment.
///
/// There is no environment here: make one with ``init()`` and hand it to the code that takes one.
public struct AuthorizationController: Sendable {
    /// Makes a controller. On Apple's platforms, SwiftUI's environment gives it.
    public init() {}

    /// Performs one request; see ``performRequests(_:)``.
    @MainActor
    public func performRequest(_ request: ASAuthorizationRequest) async throws -> ASAuthorizationResult {
        try await performRequests([request])
    }

    /// Performs one request with options; see ``performRequests(_:)``.
    @MainActor
    public func performRequest(
        _ request: ASAuthorizationRequest, options: ASAuthorizationController.RequestOptions
    ) async throws -> ASAuthorizationResult {
        try await performRequests([request], options: options)
    }

    /// Performs requests as ``ASAuthorizationController/performRequests()`` does. If the task is cancelled, so are they.
    ///
    /// - Throws: An ``ASAuthorizationError``.
    @MainActor
    public func performRequests(_ requests: [ASAuthorizationRequest]) async throws -> ASAuthorizationResult {
        try await perform(requests) { $0.performRequests() }
    }

    /// Performs requests with options; see ``performRequests(_:)``.
    @MainActor
    public func performRequests(
        _ requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions
    ) async throws -> ASAuthorizationResult {
        try await perform(requests) { $0.performRequests(options: options) }
    }

    /// Fails with ``ASAuthorizationError/Code/notHandled``: there is no field to fill here.
    @MainActor
    public func performAutoFillAssistedRequest(
        _ request: ASAuthorizationRequest
    ) async throws -> ASAuthorizationResult {
        try await performAutoFillAssistedRequests([request])
    }

    /// Fails with ``ASAuthorizationError/Code/notHandled``: there is no field to fill here.
    @MainActor
    public func performAutoFillAssistedRequests(
        _ requests: [ASAuthorizationRequest]
    ) async throws -> ASAuthorizationResult {
        try await perform(requests) { $0.performAutoFillAssistedRequests() }
    }

    @MainActor
    private func perform(
        _ requests: [ASAuthorizationRequest], with start: (ASAuthorizationController) -> Void
    ) async throws -> ASAuthorizationResult {
        let controller = ASAuthorizationController(authorizationRequests: requests)
        let running = RunningController(controller)
        let authorization = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let delegate = CompletionDelegate { continuation.resume(with: $0) }
                controller.delegate = delegate
                start(controller)
                // A task that was cancelled before has called the handler below too early.
                if Task.isCancelled { controller.cancel() }
            }
        } onCancel: {
            running.cancel()
        }
        guard let result = ASAuthorizationResult(authorization.credential) else {
            throw ASAuthorizationError(.invalidResponse, reason: .unreadableAnswer)
        }
        return result
    }
}

/// The credential that an ``AuthorizationController`` returns. Only the first two come from here.
public enum ASAuthorizationResult: Sendable {
    /// The person signed in with Apple.
    case appleID(ASAuthorizationAppleIDCredential)
    /// A kept password was found.
    case password(ASPasswordCredential)
    /// Somebody signed in with a passkey. Never comes from here.
    case passkeyAssertion(ASAuthorizationPlatformPublicKeyCredentialAssertion)
    /// Somebody created a passkey. Never comes from here.
    case passkeyRegistration(ASAuthorizationPlatformPublicKeyCredentialRegistration)
    /// Somebody created an account with a passkey. Never comes from here.
    case passkeyAccountCreation(ASAuthorizationAccountCreationPlatformPublicKeyCredential)
    /// Somebody signed in with a security key. Never comes from here.
    case securityKeyAssertion(ASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
    /// Somebody registered a security key. Never comes from here.
    case securityKeyRegistration(ASAuthorizationSecurityKeyPublicKeyCredentialRegistration)

    init?(_ credential: any ASAuthorizationCredential) {
        switch credential {
        case let credential as ASAuthorizationAppleIDCredential: self = .appleID(credential)
        case let credential as ASPasswordCredential: self = .password(credential)
        default: return nil
        }
    }
}

/// A delegate that calls a closure, and lives until then.
@MainActor
package final class CompletionDelegate: NSObject, ASAuthorizationControllerDelegate {
    private var completion: ((Result<ASAuthorization, any Error>) -> Void)?
    /// Itself, since controllers hold their delegates weakly.
    private var keptAlive: CompletionDelegate?

    package init(_ completion: @escaping (Result<ASAuthorization, any Error>) -> Void) {
        self.completion = completion
        super.init()
        keptAlive = self
    }

    package func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        finish(.success(authorization))
    }

    package func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<ASAuthorization, any Error>) {
        let completion = completion
        self.completion = nil
        keptAlive = nil
        completion?(result)
    }
}
