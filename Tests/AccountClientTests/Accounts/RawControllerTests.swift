#if !canImport(Darwin)
    import AccountAPI
    import AccountClient
    import Foundation
    import OpenAuthenticationServices
    import Testing

    /// Raw controllers and providers of a process use the client that is installed there. The client's performer is put in
    /// for the test's task alone.
    @MainActor
    @Suite("Apple's own types over a client's session", .timeLimit(.minutes(2)))
    struct RawControllerTests {
        private let device = TestDevice()

        @Test("A silent look finds the stored session: the identifier, and nothing that Apple tells only once")
        func found() async throws {
            let client = try await device.signedInClient()
            let result = await look(client)
            let credential = try result.get()
            #expect(credential.user == TestDevice.user)
            #expect(credential.fullName == nil)
            #expect(credential.email == nil)
            #expect(credential.identityToken == nil)
            #expect(credential.authorizationCode == nil)
            #expect(credential.state == "the-app-s-own")
        }

        @Test("Without a session, also one that has just ended, the request fails because no credential is stored")
        func none() async throws {
            #expect(try await error(device.client())?.reason == .noStoredCredential)
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
            let error = await error(client)
            #expect(error?.code == .canceled)
            #expect(error?.reason == .noStoredCredential)
        }

        @Test("A request for another user finds no stored credential")
        func otherUser() async throws {
            let client = try await device.signedInClient()
            #expect(await error(client, user: "002000.bbbb")?.reason == .noStoredCredential)
            #expect(try await look(client, user: TestDevice.user).get().user == TestDevice.user)
        }

        @Test("If another process has signed somebody else in, a silent look finds them", arguments: [true, false])
        func otherProcess(isForFormer: Bool) async throws {
            let client = try await device.signedInClient()
            device.service.account.id = "acc_2"
            try await device.client().signIn(with: TestDevice.credential(user: "002000.bbbb"))
            device.time.advance(by: .seconds(600))
            if isForFormer {
                #expect(await error(client, user: TestDevice.user)?.reason == .noStoredCredential)
            } else {
                let found = try await look(client).get()
                #expect(found.user == "002000.bbbb")
            }
        }

        @Test("Without the account service the request fails, and says that the service is unavailable")
        func offline() async throws {
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            device.service.on("POST /v1/session/refresh", .unreachable(.notConnectedToInternet))
            let error = await error(client)
            #expect(error?.code == .failed)
            #expect(error?.reason == .serviceUnavailable)
        }

        @Test("The signed-in user is authorized; every other user, and everyone after a sign-out, is not found")
        func state() async throws {
            let client = try await device.signedInClient()
            #expect(try await credentialState(client, TestDevice.user) == .authorized)
            #expect(try await credentialState(client, "002000.bbbb") == .notFound)
            #expect(try await credentialState(client, "") == .notFound)
            try await client.signOut()
            #expect(try await credentialState(client, TestDevice.user) == .notFound)
        }

        @Test("A session that has ended is not found, and never revoked")
        func endedState() async throws {
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
            #expect(try await credentialState(client, TestDevice.user) == .notFound)
        }

        @Test("Without the account service the state is the last one known, beside the error")
        func offlineState() async throws {
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            device.service.on("POST /v1/session/refresh", .lost)
            let (state, error) = await performer(client).credentialState(forUserID: TestDevice.user)
            #expect(state == .authorized)
            #expect((error as? AccountClientError)?.code == .backendUnavailable)
        }

        // MARK: -

        private func performer(_ client: AccountClient) -> AccountServicePerformer {
            AccountServicePerformer(configuration: client.configuration)
        }

        private func credentialState(
            _ client: AccountClient, _ user: String
        ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
            try await CurrentPerformer.$scoped.withValue(performer(client)) {
                try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user)
            }
        }

        private func error(_ client: AccountClient, user: String? = nil) async -> ASAuthorizationError? {
            guard case .failure(let error) = await look(client, user: user) else { return nil }
            return error as? ASAuthorizationError
        }

        private func look(
            _ client: AccountClient, user: String? = nil
        ) async -> Result<ASAuthorizationAppleIDCredential, any Error> {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.state = "the-app-s-own"
            request.user = user
            let controller = ASAuthorizationController(authorizationRequests: [request])
            let delegate = Delegate()
            controller.delegate = delegate
            return await CurrentPerformer.$scoped.withValue(performer(client)) {
                await withCheckedContinuation { continuation in
                    delegate.continuation = continuation
                    controller.performRequests(options: .preferImmediatelyAvailableCredentials)
                }
            }
        }

        private final class Delegate: NSObject, ASAuthorizationControllerDelegate {
            var continuation: CheckedContinuation<Result<ASAuthorizationAppleIDCredential, any Error>, Never>?

            func authorizationController(
                controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
            ) {
                guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else { return }
                continuation?.resume(returning: .success(credential))
            }

            func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
                continuation?.resume(returning: .failure(error))
            }
        }
    }
#endif
