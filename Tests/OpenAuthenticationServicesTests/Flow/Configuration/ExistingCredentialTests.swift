import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

@Suite("Existing credentials", .timeLimit(.minutes(2)))
struct ExistingCredentialTests {
    private func source(
        _ answer: Result<ExistingCredential, ASAuthorizationError>, ended: @escaping @Sendable () -> Void = {}
    ) -> ExistingCredentialSource {
        ExistingCredentialSource(
            existingCredential: { (_) throws(ASAuthorizationError) in try answer.get() },
            credentialState: { userID in userID == Wire.user ? (.authorized, nil) : (.notFound, BrowserError.absent) },
            endSession: { ended() })
    }

    @Test("Without a source there is no credential, and every user is unknown")
    func noSource() async {
        let wire = Wire()
        let performer = AccountServicePerformer(configuration: wire.configuration())
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await performer.existingCredential(
                ExistingCredentialRequests(appleID: AppleIDRequestValues(), includesPassword: true))
        }
        #expect(error?.code == .canceled)
        #expect(error?.reason == .noStoredCredential)
        let state = await performer.credentialState(forUserID: Wire.user)
        #expect(state.state == .notFound)
        #expect(state.error == nil)
        #expect(wire.requests.isEmpty)
    }

    @Test("The source is asked, and its answers are passed on")
    func source() async throws {
        var configuration = Wire().configuration()
        configuration.existing = source(.success(.password(user: "a", password: "b")))
        let performer = AccountServicePerformer(configuration: configuration)
        let found = try await performer.existingCredential(
            ExistingCredentialRequests(appleID: nil, includesPassword: true))
        guard case .password("a", "b") = found else {
            Issue.record("another credential")
            return
        }
        #expect(await performer.credentialState(forUserID: Wire.user).state == .authorized)
        let other = await performer.credentialState(forUserID: "other")
        #expect(other.state == .notFound)
        #expect(other.error as? BrowserError == .absent)
    }

    /// Returns a controller's outcome, with its requests performed by this configuration's performer.
    @MainActor
    private func outcome(
        of operation: ASAuthorization.OpenIDOperation, with configuration: AuthenticationServicesConfiguration
    ) async -> RecordingDelegate {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedOperation = operation
        let delegate = RecordingDelegate()
        await CurrentPerformer.$scoped.withValue(AccountServicePerformer(configuration: configuration)) {
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = delegate
            await withCheckedContinuation { continuation in
                delegate.onOutcome = { _ in continuation.resume() }
                controller.performRequests()
            }
        }
        return delegate
    }

    @MainActor
    @Test("The refresh operation looks for an existing credential, and opens nothing")
    func refresh() async throws {
        let wire = Wire()
        var configuration = wire.configuration()
        configuration.existing = source(.success(.appleID(AppleIDCredentialValues(user: Wire.user))))
        #expect(await outcome(of: .operationRefresh, with: configuration).appleIDCredential?.user == Wire.user)
        configuration.existing = nil
        #expect(await outcome(of: .operationRefresh, with: configuration).error?.reason == .noStoredCredential)
        #expect(wire.requests.isEmpty)
    }

    @MainActor
    @Test("The logout operation ends the session, and returns no credential")
    func logout() async throws {
        let wire = Wire()
        let ended = Lock(0)
        var configuration = wire.configuration()
        configuration.existing = source(.success(.password(user: "", password: ""))) { ended.withLock { $0 += 1 } }
        let error = await outcome(of: .operationLogout, with: configuration).error
        #expect(error?.code == .notHandled)
        #expect(error?.reason == .unsupportedOperation)
        #expect(ended.withLock { $0 } == 1)
        #expect(wire.requests.isEmpty)
    }
}
