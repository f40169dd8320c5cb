#if !canImport(Darwin)
    import AccountAPI
    import AccountClient
    import AuthenticationServicesTesting
    import Foundation
    import OpenAuthenticationServices
    import Testing

    /// Apple's own types find the password that a client has saved, and replace it by Sign in with Apple.
    @MainActor
    @Suite("Apple's own types over a client's saved password", .timeLimit(.minutes(2)))
    struct RawPasswordTests {
        private let device = TestDevice()
        private let saved = SavedPassword(email: TestDevice.email, password: TestDevice.password)

        @Test("Asked for Apple's credential and a password in one call, the session with Apple comes first")
        func appleFirst() async throws {
            let client = try await device.signedInClient()
            try await client.savePassword(saved)
            let credential = try await look(client).get()
            #expect((credential as? ASAuthorizationAppleIDCredential)?.user == TestDevice.user)
        }

        @Test("Without a session the saved password is found, and signs in")
        func password() async throws {
            let client = try device.client()
            try await client.savePassword(saved)
            let credential = try #require(try await look(client).get() as? ASPasswordCredential)
            #expect(credential.user == saved.email && credential.password == saved.password)
            try await client.signIn(email: credential.user, password: credential.password)
            #expect(await client.account != nil)
        }

        @Test("A person who signs in by password has no Apple credential, and the password is found")
        func sessionByPassword() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(saved)
            #expect(try await look(client).get() is ASPasswordCredential)
            #expect(await reason(client, [ASAuthorizationAppleIDProvider().createRequest()]) == .noStoredCredential)
        }

        @Test("A request for a password alone finds it, and one without a password request does not")
        func alone() async throws {
            let client = try device.client()
            let requests = [ASAuthorizationPasswordProvider().createRequest()]
            #expect(await reason(client, requests) == .noStoredCredential)
            try await client.savePassword(saved)
            #expect(try await look(client, requests).get() is ASPasswordCredential)
            #expect(await reason(client, [ASAuthorizationAppleIDProvider().createRequest()]) == .noStoredCredential)
        }

        @Test("Without a saved password no credential is found, and a failing storage is reported as such")
        func none() async throws {
            let client = try device.client()
            #expect(await reason(client) == .noStoredCredential)
            try device.storage.save("nonsense", as: TestDevice.passwordName)
            #expect(await reason(client) == .storageUnavailable)
        }

        // MARK: The modification request

        @Test("The modification request upgrades the person who is signed in, with their saved password")
        func replaces() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(saved)
            #expect(await modify(client) == nil)
            let proof = try #require(device.service.requests("POST /v1/reauthenticate/password").first)
            #expect(proof.json["password"] as? String == TestDevice.password)
            #expect(device.service.requests("POST /v1/account/upgrade").count == 1)
            #expect(await client.account?.user == TestDevice.user)
            #expect(try await client.savedPassword() == nil)
        }

        @Test("Without a saved password of this user nothing is asked", arguments: [nil, "bob@example.com"])
        func replacesNothing(email: String?) async throws {
            let client = try await device.clientByPassword()
            if let email { try await client.savePassword(SavedPassword(email: email, password: "p")) }
            #expect(await modify(client)?.reason == .noStoredCredential)
            #expect(device.service.requests("POST /v1/reauthenticate/password").isEmpty)
        }

        @Test("The address is the same in any case of letters")
        func spelling() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(SavedPassword(email: "Ada@Example.COM", password: TestDevice.password))
            #expect(await modify(client) == nil)
            #expect(await client.account?.user == TestDevice.user)
            #expect(try await client.savedPassword() == nil)
        }

        @Test("A saved password is not tried against the account of somebody else who is signed in")
        func somebodyElse() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(saved)
            device.service.account.waysIn = WaysInBody(apple: false, email: "bob@example.com", hasPassword: true)
            _ = try await client.reloadAccount()
            #expect(await modify(client)?.reason == .noStoredCredential)
            #expect(device.service.requests("POST /v1/reauthenticate/password").isEmpty)
        }

        @Test("A person who hides their address is refused, because nobody asks for their consent")
        func hiddenAddress() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(saved)
            device.service.on("POST /v1/account/upgrade") { _ in
                try .consentRequired([.contactEmail], textVersion: "1")
            }
            #expect(await modify(client)?.reason == .refused)
            #expect(await client.account?.user == nil)
            #expect(try await client.savedPassword() == saved)
        }

        @Test("A refusal is distinguished from an unavailable service")
        func fails() async throws {
            let client = try await device.clientByPassword()
            try await client.savePassword(saved)
            device.service.on("POST /v1/reauthenticate/password", .refusal(401, .wrongCredentials))
            #expect(await modify(client)?.reason == .refused)
            device.service.on("POST /v1/reauthenticate/password", .unreachable(.notConnectedToInternet))
            #expect(await modify(client)?.reason == .serviceUnavailable)
        }

        // MARK: -

        /// The client's performer, with a person who signs in at Apple at once.
        private func performer(_ client: AccountClient) -> ModifyingPerformer {
            ModifyingPerformer(
                own: AccountServicePerformer(configuration: client.configuration),
                existing: client.configuration.existing)
        }

        private func look(
            _ client: AccountClient, _ requests: [ASAuthorizationRequest]? = nil
        ) async -> Result<any ASAuthorizationCredential, any Error> {
            let controller = ASAuthorizationController(
                authorizationRequests: requests ?? [
                    ASAuthorizationAppleIDProvider().createRequest(),
                    ASAuthorizationPasswordProvider().createRequest(),
                ])
            let delegate = Delegate()
            controller.delegate = delegate
            return await CurrentPerformer.$scoped.withValue(performer(client)) {
                await withCheckedContinuation { continuation in
                    delegate.continuation = continuation
                    controller.performRequests(options: .preferImmediatelyAvailableCredentials)
                }
            }
        }

        private func reason(
            _ client: AccountClient, _ requests: [ASAuthorizationRequest]? = nil
        ) async -> ASAuthorizationError.Reason? {
            guard case .failure(let error) = await look(client, requests) else { return nil }
            return (error as? ASAuthorizationError)?.reason
        }

        private func modify(_ client: AccountClient) async -> ASAuthorizationError? {
            let controller = ASAccountAuthenticationModificationController()
            let delegate = Delegate()
            controller.delegate = delegate
            return await CurrentPerformer.$scoped.withValue(performer(client)) {
                await withCheckedContinuation { continuation in
                    delegate.modified = continuation
                    controller.perform(
                        ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest(
                            user: TestDevice.email,
                            serviceIdentifier: ASCredentialServiceIdentifier(
                                identifier: "accounts.example.com", type: .domain), userInfo: nil))
                }
            }
        }

        private final class Delegate: NSObject, ASAuthorizationControllerDelegate,
            ASAccountAuthenticationModificationControllerDelegate
        {
            var continuation: CheckedContinuation<Result<any ASAuthorizationCredential, any Error>, Never>?
            var modified: CheckedContinuation<ASAuthorizationError?, Never>?

            func authorizationController(
                controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
            ) {
                continuation?.resume(returning: .success(authorization.credential))
            }

            func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
                continuation?.resume(returning: .failure(error))
            }

            func accountAuthenticationModificationController(
                _ controller: ASAccountAuthenticationModificationController,
                didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
                userInfo: [AnyHashable: Any]?
            ) {
                modified?.resume(returning: nil)
            }

            func accountAuthenticationModificationController(
                _ controller: ASAccountAuthenticationModificationController,
                didFail request: ASAccountAuthenticationModificationRequest, error: any Error
            ) {
                modified?.resume(returning: error as? ASAuthorizationError)
            }
        }
    }

    /// A client's own performer, but for the person, who signs in at Apple without a browser.
    private struct ModifyingPerformer: AuthorizationPerformer {
        let own: AccountServicePerformer
        let existing: ExistingCredentialSource?

        func authorize(_ request: AppleIDRequestValues) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
            AppleIDCredentialValues(
                user: TestDevice.user, state: request.state, authorizationCode: Data("apple-code".utf8),
                identityToken: Data("identity-token".utf8))
        }

        func existingCredential(
            _ requests: ExistingCredentialRequests
        ) async throws(ASAuthorizationError) -> ExistingCredential {
            try await own.existingCredential(requests)
        }

        func replacePassword(of user: String) async throws(ASAuthorizationError) {
            guard let replace = existing?.replacePassword else {
                throw ASAuthorizationError(.notHandled, reason: .notConfigured)
            }
            try await replace(user) { request async throws(ASAuthorizationError) in try await authorize(request) }
        }

        func endSession() async {
            await own.endSession()
        }

        func credentialState(
            forUserID userID: String
        ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?) {
            await own.credentialState(forUserID: userID)
        }
    }
#endif
