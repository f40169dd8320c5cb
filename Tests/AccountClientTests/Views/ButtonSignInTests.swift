import AuthenticationServicesTesting
import Crypto
import Foundation
import Testing

@testable import AccountClient

// On Apple's systems the controller and the authorization are Apple's, which no test can make.
#if !canImport(Darwin)
    /// Performs one request as a button of Apple's does, and hands its result on.
    @MainActor
    private final class Performance: NSObject, ASAuthorizationControllerDelegate {
        private var result: Result<ASAuthorization, any Error>?

        static func result(
            of request: ASAuthorizationRequest, _ script: AuthorizationScript
        ) async -> Result<ASAuthorization, any Error> {
            let performance = Performance()
            await withAuthorizationScript(script) {
                let controller = ASAuthorizationController(authorizationRequests: [request])
                controller.delegate = performance
                controller.performRequests()
                await script.allAnswered()
            }
            return performance.result ?? .failure(ASAuthorizationError(.unknown))
        }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            result = .success(authorization)
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            result = .failure(error)
        }
    }
#endif

/// The sign-in behind a button that makes its own request, as SwiftUI's does.
@MainActor
@Suite("A button's sign-in", .timeLimit(.minutes(2)))
struct ButtonSignInTests {
    private let device = TestDevice()

    @Test("Each press has a nonce and a state of its own")
    func newEachTime() throws {
        let signIn = ButtonSignIn(try device.client().calls)
        let requests = (0..<2).map { _ in
            let request = ASAuthorizationAppleIDProvider().createRequest()
            signIn.begin(request, scopes: [])
            return request
        }
        #expect(requests[0].nonce != requests[1].nonce)
        #expect(requests[0].state != requests[1].state)
        #expect(requests[0].nonce?.utf8.count == 64)
    }

    @Test("The nonce and the state are made of the client's random numbers")
    func randomNumbers() throws {
        var environment = device.time.environment
        environment.randomBytes = { [UInt8](repeating: 0, count: $0) }
        let backend = try #require(URL(string: TestDevice.backend))
        let client = AccountClient(
            configuration: AuthenticationServicesConfiguration(backend: backend, app: "com.example.app"),
            storage: MemoryStorage(), environment: environment)
        let request = ASAuthorizationAppleIDProvider().createRequest()
        ButtonSignIn(client.calls).begin(request, scopes: [])
        let text = String(repeating: "A", count: 43)
        #expect(request.state == text)
        #expect(request.nonce == Nonce(text).hash)
    }

    @Test("A person who gives up sees no message")
    func cancelled() async throws {
        let signIn = ButtonSignIn(try device.client().calls)
        #expect(await signIn.end(.failure(ASAuthorizationError(.canceled))) == nil)
        #if !canImport(Darwin)
            #expect(await press(signIn, answeredBy: .cancel) == nil)
        #endif
    }

    @Test("Another failure is the client's error")
    func failed() async throws {
        let signIn = ButtonSignIn(try device.client().calls)
        let result = await signIn.end(.failure(ASAuthorizationError(.failed)))
        #expect(throws: AccountClientError(.authorizationFailed, "")) { try result?.get() }
        #if !canImport(Darwin)
            let pressed = await press(signIn, answeredBy: .failure(ASAuthorizationError(.failed)))
            #expect(throws: AccountClientError(.authorizationFailed, "")) { try pressed?.get() }
        #endif
    }

    #if !canImport(Darwin)
        /// Performs the request that a press makes, as the button would.
        private func press(
            _ signIn: ButtonSignIn, answeredBy answer: AuthorizationScript.Answer
        ) async -> Result<Account, AccountClientError>? {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            signIn.begin(request, scopes: [.fullName, .email])
            return await signIn.end(await Performance.result(of: request, AuthorizationScript(answer)))
        }

        @Test("The request has scopes, a hashed nonce and a state; the account comes back")
        func signsIn() async throws {
            let client = try device.client()
            let result = await press(
                ButtonSignIn(client.calls),
                answeredBy: .credential(user: TestDevice.user, identityToken: "identity-token"))
            #expect(try result?.get().user == TestDevice.user)
            let call = try #require(device.service.requests("POST /v1/sign-in/apple").first)
            #expect((call.json["nonce"] as? String)?.utf8.count == 43)
            #expect(call.json["identityToken"] as? String == "identity-token")
            #expect(await client.account != nil)
        }

        @Test("An answer to another request is refused")
        func anotherState() async throws {
            let signIn = ButtonSignIn(try device.client().calls)
            let script = AuthorizationScript(.credential(user: TestDevice.user, identityToken: "identity-token"))
            let request = ASAuthorizationAppleIDProvider().createRequest()
            signIn.begin(request, scopes: [])
            let result = await Performance.result(of: request, script)
            // A second press before the first was answered.
            signIn.begin(ASAuthorizationAppleIDProvider().createRequest(), scopes: [])
            let outcome = await signIn.end(result)
            #expect(throws: AccountClientError(.invalidResponse, "")) { try outcome?.get() }
            #expect(device.service.requests("POST /v1/sign-in/apple").isEmpty)
        }
    #endif
}
