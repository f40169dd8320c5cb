import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("The controller for async code", .timeLimit(.minutes(2)))
struct AuthorizationControllerTests {
    private let controller = AuthorizationController()

    private var appleID: ASAuthorizationRequest { ASAuthorizationAppleIDProvider().createRequest() }
    private var password: ASAuthorizationRequest { ASAuthorizationPasswordProvider().createRequest() }
    private var passkey: ASAuthorizationRequest {
        ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
            .createCredentialAssertionRequest(challenge: Data([1]))
    }

    @Test("returns the credential of a sign-in with Apple")
    func appleIDCredential() async throws {
        let script = AuthorizationScript(.success(ada))
        try await withAuthorizationScript(script) {
            let alone = try await controller.performRequest(appleID)
            #expect(user(of: alone) == "Apple 001999.ada")
            let besidePasskey = try await controller.performRequests([passkey, appleID])
            #expect(user(of: besidePasskey) == "Apple 001999.ada")
        }
        #expect(script.requests.map(\.isSilent) == [false, false])
    }

    @Test("returns an existing credential without asking")
    func existing() async throws {
        let script = AuthorizationScript(existing: .password(ASPasswordCredential(user: "ada", password: "engine")))
        try await withAuthorizationScript(script) {
            let kept = try await controller.performRequests([appleID, password])
            #expect(user(of: kept) == "password ada")
            script.existing = .appleID(ada)
            let options = ASAuthorizationController.RequestOptions.preferImmediatelyAvailableCredentials
            let alone = try await controller.performRequest(appleID, options: options)
            #expect(user(of: alone) == "Apple 001999.ada")
            let besidePasskey = try await controller.performRequests([passkey, appleID], options: options)
            #expect(user(of: besidePasskey) == "Apple 001999.ada")
        }
        #expect(script.requests.map(\.isSilent) == [true, true, true])
    }

    private func user(of result: ASAuthorizationResult) -> String {
        switch result {
        case .appleID(let credential): "Apple \(credential.user)"
        case .password(let credential): "password \(credential.user)"
        case .passkeyAssertion, .passkeyRegistration, .passkeyAccountCreation: "passkey"
        case .securityKeyAssertion, .securityKeyRegistration: "security key"
        }
    }

    @Test("throws the errors that a delegate gets")
    func errors() async {
        await withAuthorizationScript(AuthorizationScript(.cancel)) {
            await expect(.canceled, .cancelledAtApple) { try await controller.performRequest(appleID) }
            await expect(.notHandled, .unsupportedRequest) { try await controller.performRequest(passkey) }
            await expect(.notHandled, .noRequest) { try await controller.performRequests([]) }
            await expect(.notHandled, .unsupportedRequest) {
                try await controller.performAutoFillAssistedRequest(passkey)
            }
            await expect(.notHandled, .unsupportedRequest) {
                try await controller.performAutoFillAssistedRequests([passkey, password])
            }
        }
    }

    @Test("ends with canceled when its task is cancelled, before or while it asks")
    func cancellation() async {
        let script = AuthorizationScript(.success(ada).after(AuthorizationSignal()))
        await withAuthorizationScript(script) {
            let asking = Task { try await controller.performRequest(appleID) }
            _ = await script.requests(atLeast: 1)
            asking.cancel()
            await expect(.canceled, .cancelledByApp) { try await asking.value }
            let late = Task {
                // Returns when the task is cancelled.
                await AuthorizationSignal().wait()
                return try await controller.performRequest(appleID)
            }
            late.cancel()
            await expect(.canceled, .cancelledByApp) { try await late.value }
        }
    }

    private func expect(
        _ code: ASAuthorizationError.Code, _ reason: ASAuthorizationError.Reason,
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> ASAuthorizationResult
    ) async {
        do {
            let result = try await call()
            Issue.record("\(result)", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? ASAuthorizationError)?.code == code, sourceLocation: sourceLocation)
            #expect((error as? ASAuthorizationError)?.reason == reason, sourceLocation: sourceLocation)
        }
    }
}
