import AccountAPI
import AccountHTTP
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@Suite("The token of a Services ID from an app")
struct NativeServiceTests {
    private static let returnURL = TestSystem.publicURL + SignIn.callbackPath

    /// The credential that the app's own server got from Apple in a browser.
    private func credential(_ system: TestSystem) async throws -> NativeSignInRequest {
        let nonce = String.nonce()
        var request = TestAuthorizationRequest(client: TestSystem.juiceWeb)
        request.redirectURI = Self.returnURL
        request.nonce = nonce.sha256
        let answer = try await system.emulator.authorize(request)
        return NativeSignInRequest(
            identityToken: answer.identityToken, authorizationCode: answer.code?.rawValue, nonce: nonce)
    }

    private func post(
        _ system: TestSystem, _ request: NativeSignInRequest
    ) async throws -> (status: HTTPResponse.Status, body: Data) {
        let application = try buildApplication(
            domain: system.domain, port: 0, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let body = ByteBuffer(bytes: Array(try JSONEncoder().encode(request)))
        return try await application.test(.router) { client in
            try await client.execute(
                uri: "/v1/sign-in/apple", method: .post, headers: [.contentType: "application/json"], body: body
            ) { ($0.status, Data($0.body.readableBytesView)) }
        }
    }

    private func refusal(_ system: TestSystem, _ request: NativeSignInRequest) async throws -> ErrorCode {
        try JSONDecoder().decode(ErrorEnvelope.self, from: try await post(system, request).body).error.code
    }

    @Test("is refused unless the Services ID is listed", arguments: Engine.allCases)
    func notListed(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let credential = try await credential(system)
        #expect(try await post(system, credential).status == .unauthorized)
        #expect(try await refusal(system, credential) == .audienceMismatch)
    }

    @Test(
        "signs in if it is listed, and its code is redeemed with the return URL that was listed with it",
        arguments: Engine.allCases)
    func listed(on engine: Engine) async throws {
        let system = try await TestSystem(engine) { configuration in
            configuration.nativeClients.insert(TestSystem.juiceWeb)
            configuration.nativeReturnURLs = [TestSystem.juiceWeb: Self.returnURL]
        }
        let (status, body) = try await post(system, credential(system))
        #expect(status == .ok)
        let answer = try JSONDecoder().decode(SignInAnswer.self, from: body)
        #expect(answer.isNewAccount && answer.account.appleToken == .held)
        // The person is the one of the app.
        let native = try await system.domain.signIn.native(system.device())
        #expect(native.account.id.rawValue == answer.account.id)
    }

    @Test("must match its nonce, and its code follows Apple's rules, like any other", arguments: Engine.allCases)
    func rules(on engine: Engine) async throws {
        let system = try await TestSystem(engine) { $0.nativeClients.insert(TestSystem.juiceWeb) }
        var credential = try await credential(system)
        credential.nonce = .nonce()
        #expect(try await refusal(system, credential) == .nonceMismatch)
        // Apple wants to see the return URL that the code was obtained with: without it the token counts alone.
        let (status, body) = try await post(system, self.credential(system))
        #expect(status == .ok)
        #expect(try JSONDecoder().decode(SignInAnswer.self, from: body).account.appleToken == .waiting)
        var codeAlone = try await self.credential(system)
        codeAlone.identityToken = nil
        codeAlone.clientID = TestSystem.juiceWeb.rawValue
        #expect(try await refusal(system, codeAlone) == .invalidRequest)
        var tokenAlone = try await self.credential(system)
        tokenAlone.authorizationCode = nil
        #expect(try await post(system, tokenAlone).status == .ok)
    }
}
