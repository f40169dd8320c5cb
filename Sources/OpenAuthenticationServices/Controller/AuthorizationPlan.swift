/// The work that some requests make. It holds copies of them, so that later changes by the app are not seen. It skips
/// requests that only Apple's systems perform.
struct AuthorizationPlan: Sendable {
    private let appleID: ASAuthorizationAppleIDRequest?
    private let password: ASAuthorizationPasswordRequest?
    private let options: ASAuthorizationController.RequestOptions
    /// The error for a plan without a request that can be performed here.
    private let refusal: ASAuthorizationError

    init(requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions) {
        appleID = requests.lazy.compactMap { $0 as? ASAuthorizationAppleIDRequest }.first
            .map { ASAuthorizationAppleIDRequest(provider: $0.provider, content: $0.content) }
        password = requests.lazy.compactMap { $0 as? ASAuthorizationPasswordRequest }.first
            .map { ASAuthorizationPasswordRequest(provider: $0.provider) }
        self.options = options
        refusal = Self.refusal(of: requests)
    }

    /// Makes a plan that performs nothing, because there is no field to fill here.
    init(autoFill requests: [ASAuthorizationRequest]) {
        appleID = nil
        password = nil
        options = []
        refusal = ASAuthorizationError(.notHandled, reason: requests.isEmpty ? .noRequest : .unsupportedRequest)
    }

    /// The error that tells an app what to do instead. Requests to create an account with a passkey have a code of
    /// Apple's for this: sign in with Apple.
    private static func refusal(of requests: [ASAuthorizationRequest]) -> ASAuthorizationError {
        if requests.contains(where: { $0 is ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest }) {
            return ASAuthorizationError(.preferSignInWithApple, reason: .unsupportedRequest)
        }
        return ASAuthorizationError(.notHandled, reason: requests.isEmpty ? .noRequest : .unsupportedRequest)
    }

    /// - Parameter beforeAsking: Called when the person is about to be asked.
    func authorization(
        by performer: (any AuthorizationPerformer)?, beforeAsking: @MainActor () -> Void
    ) async throws(ASAuthorizationError) -> ASAuthorization {
        guard appleID != nil || password != nil else { throw refusal }
        guard appleID?.requestedOperation != .operationLogout else {
            // Nothing comes back from it that a delegate could be given.
            if !Task.isCancelled { await performer?.endSession() }
            throw ASAuthorizationError(.notHandled, reason: .unsupportedOperation)
        }
        guard let performer else { throw ASAuthorizationError(.notHandled, reason: .notConfigured) }
        guard let request = appleID, asksThePerson else { return try await existingAuthorization(by: performer) }
        await beforeAsking()
        guard !Task.isCancelled else { throw ASAuthorizationError(.canceled, reason: .cancelledByApp) }
        let values = try await performer.authorize(request.content.values)
        guard values.state == request.state else {
            throw ASAuthorizationError(.invalidResponse, reason: .stateMismatch)
        }
        return try authorization(to: request, with: values)
    }

    private var asksThePerson: Bool {
        password == nil && !options.contains(.preferImmediatelyAvailableCredentials)
            && appleID?.requestedOperation != .operationRefresh
    }

    private func existingAuthorization(
        by performer: any AuthorizationPerformer
    ) async throws(ASAuthorizationError) -> ASAuthorization {
        let requests = ExistingCredentialRequests(appleID: appleID?.content.values, includesPassword: password != nil)
        switch try await performer.existingCredential(requests) {
        case .appleID(var values):
            // No authorization took place to which a state could belong: it is the request's by definition.
            values.state = appleID?.state
            return try authorization(to: appleID, with: values)
        case .password(let user, let password):
            return ASAuthorization(
                provider: self.password?.provider ?? ASAuthorizationPasswordProvider(),
                credential: ASPasswordCredential(user: user, password: password))
        }
    }

    private func authorization(
        to request: ASAuthorizationAppleIDRequest?, with values: AppleIDCredentialValues
    ) throws(ASAuthorizationError) -> ASAuthorization {
        if let user = request?.user, values.user != user, !values.isOfTransferredApp {
            throw ASAuthorizationError(.failed, reason: .otherUser)
        }
        return ASAuthorization(
            provider: request?.provider ?? ASAuthorizationAppleIDProvider(),
            credential: ASAuthorizationAppleIDCredential(values))
    }
}
