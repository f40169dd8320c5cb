import AccountAPI
import Foundation
import TaskSignals

/// Performs requests over an account service and a browser.
package struct AccountServicePerformer: AuthorizationPerformer {
    let configuration: AuthenticationServicesConfiguration
    let time: FlowTime
    private let running = RunningAuthorization()

    package init(configuration: AuthenticationServicesConfiguration) {
        self.init(configuration: configuration, time: .system)
    }

    package init(configuration: AuthenticationServicesConfiguration, time: FlowTime) {
        self.configuration = configuration
        self.time = time
    }

    /// A new call ends the one that is running: a person can finish only one, and a closed browser window is not seen
    /// from here.
    package func authorize(
        _ request: AppleIDRequestValues
    ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
        try await authorize(request, at: nil)
    }

    /// Performs a request at another provider than Apple. The values are the provider's then, and there is no code.
    /// - Parameter provider: the provider's id at the account service; nil for Apple.
    package func authorize(
        _ request: AppleIDRequestValues, at provider: String?
    ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
        let run = FlowRun()
        running.replace(by: run)
        defer { running.remove(run) }
        let work = Task {
            try await AuthorizationAttempt(request, configuration, time, provider: provider).credential()
        }
        run.start(work)
        let alarm = Task { [time, timeout = configuration.timeout] in
            try await time.sleep(min(timeout, .maximumSleep))
            run.end(.timedOut)
        }
        defer { alarm.cancel() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            run.end(.cancelledByApp)
        }
        // The caller has ended this run. So a credential that arrives at the same moment is dropped.
        if let reason = run.ending { throw ASAuthorizationError(.canceled, reason: reason) }
        switch result {
        case .success(let values): return values
        case .failure(let error): throw ASAuthorizationError(flowFailure: error)
        }
    }

    package func existingCredential(
        _ requests: ExistingCredentialRequests
    ) async throws(ASAuthorizationError) -> ExistingCredential {
        guard let existing = configuration.existing else {
            throw ASAuthorizationError(.canceled, reason: .noStoredCredential)
        }
        return try await existing.existingCredential(requests)
    }

    package func endSession() async {
        await configuration.existing?.endSession?()
    }

    package func replacePassword(of user: String) async throws(ASAuthorizationError) {
        guard let replace = configuration.existing?.replacePassword else {
            throw ASAuthorizationError(.notHandled, reason: .notConfigured)
        }
        try await replace(user) { request async throws(ASAuthorizationError) in try await authorize(request) }
    }

    package func credentialState(
        forUserID userID: String
    ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?) {
        guard let existing = configuration.existing else { return (.notFound, nil) }
        return await existing.credentialState(userID)
    }
}
