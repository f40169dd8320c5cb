import OpenAuthenticationServices
import Testing

@Suite("Password managers and settings, which only Apple's systems have", .timeLimit(.minutes(2)))
struct CredentialManagerTests {
    @Test("updates throw notHandled")
    func updater() async {
        let updater = ASCredentialUpdater()
        await expectNotHandled {
            try await updater.reportUnusedPasswordCredential(domain: "example.com", userName: "ada")
        }
        await expectNotHandled {
            try await updater.reportPublicKeyCredentialUpdate(
                relyingPartyIdentifier: "example.com", userHandle: Data([1]), newName: "ada")
        }
        await expectNotHandled {
            try await updater.reportUnknownPublicKeyCredential(
                relyingPartyIdentifier: "example.com", credentialID: Data([1]))
        }
        await expectNotHandled {
            try await updater.reportAllAcceptedPublicKeyCredentials(
                relyingPartyIdentifier: "example.com", userHandle: Data([1]), acceptedCredentialIDs: [])
        }
    }

    @Test("settings do not open, and the caller gets an error")
    func settings() async {
        await expectNotHandled { try await ASSettingsHelper.openCredentialProviderAppSettings() }
        await expectNotHandled { try await ASSettingsHelper.openVerificationCodeAppSettings() }
        let isOn = await ASSettingsHelper.requestToTurnOnCredentialProviderExtension()
        #expect(!isOn)
        for open in [openCredentialProviders, openVerificationCodes] {
            let error = await withCheckedContinuation { continuation in
                open { continuation.resume(returning: $0) }
            }
            #expect((error as? ASAuthorizationError)?.code == .notHandled)
        }
        let answer = await withCheckedContinuation { continuation in
            turnOn { continuation.resume(returning: $0) }
        }
        #expect(!answer)
    }

    // Code that is not async gets the forms with a handler.

    private func openCredentialProviders(_ handler: @escaping @Sendable ((any Error)?) -> Void) {
        ASSettingsHelper.openCredentialProviderAppSettings()
        ASSettingsHelper.openCredentialProviderAppSettings(completionHandler: handler)
    }

    private func openVerificationCodes(_ handler: @escaping @Sendable ((any Error)?) -> Void) {
        ASSettingsHelper.openVerificationCodeAppSettings()
        ASSettingsHelper.openVerificationCodeAppSettings { handler($0) }
    }

    private func turnOn(_ handler: @escaping @Sendable (Bool) -> Void) {
        ASSettingsHelper.requestToTurnOnCredentialProviderExtension { handler($0) }
    }

    private func expectNotHandled(
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async {
        do {
            try await call()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? ASAuthorizationError)?.code == .notHandled, sourceLocation: sourceLocation)
            #expect((error as? ASAuthorizationError)?.reason == .unsupportedRequest, sourceLocation: sourceLocation)
        }
    }
}
