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
    private static let returnURL = House.publicURL + SignIn.callbackPath

    /// What a server of the app's got from Apple in a browser.
    private func credential(_ house: House) async throws -> NativeSignInRequest {
        let nonce = String.nonce()
        let answer = try await house.emulator.authorize(
            client: House.juiceWeb, redirectURI: Self.returnURL, nonce: nonce.sha256)
        return NativeSignInRequest(
            identityToken: answer.identityToken, authorizationCode: answer.code?.rawValue, nonce: nonce)
    }

    private func post(
        _ house: House, _ request: NativeSignInRequest
    ) async throws -> (status: HTTPResponse.Status, body: Data) {
        let application = try buildApplication(
            domain: house.domain, port: 0, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let body = ByteBuffer(bytes: Array(try JSONEncoder().encode(request)))
        return try await application.test(.router) { client in
            try await client.execute(
                uri: "/v1/sign-in/apple", method: .post, headers: [.contentType: "application/json"], body: body
            ) { ($0.status, Data($0.body.readableBytesView)) }
        }
    }

    private func refusal(_ house: House, _ request: NativeSignInRequest) async throws -> ErrorCode {
        try JSONDecoder().decode(ErrorEnvelope.self, from: try await post(house, request).body).error.code
    }

    @Test("is refused unless the Services ID is listed", arguments: Engine.allCases)
    func notListed(on engine: Engine) async throws {
        let house = try await House(engine)
        let credential = try await credential(house)
        #expect(try await post(house, credential).status == .unauthorized)
        #expect(try await refusal(house, credential) == .audienceMismatch)
    }

    @Test(
        "signs in where it is listed, and its code is redeemed with the return URL that was listed with it",
        arguments: Engine.allCases)
    func listed(on engine: Engine) async throws {
        let house = try await House(engine) { configuration in
            configuration.nativeClients.insert(House.juiceWeb)
            configuration.nativeReturnURLs = [House.juiceWeb: Self.returnURL]
        }
        let (status, body) = try await post(house, credential(house))
        #expect(status == .ok)
        let answer = try JSONDecoder().decode(SignInAnswer.self, from: body)
        #expect(answer.isNewAccount && answer.account.appleToken == .held)
        // The same person as in the app.
        let native = try await house.domain.signIn.native(house.device())
        #expect(native.account.id.rawValue == answer.account.id)
    }

    @Test("is held against its nonce, and its code to Apple's rules, like any other", arguments: Engine.allCases)
    func rules(on engine: Engine) async throws {
        let house = try await House(engine) { $0.nativeClients.insert(House.juiceWeb) }
        var credential = try await credential(house)
        credential.nonce = .nonce()
        #expect(try await refusal(house, credential) == .nonceMismatch)
        // Apple wants to see the return URL that the code was obtained with: without it the token counts alone.
        let (status, body) = try await post(house, self.credential(house))
        #expect(status == .ok)
        #expect(try JSONDecoder().decode(SignInAnswer.self, from: body).account.appleToken == .waiting)
        var codeAlone = try await self.credential(house)
        codeAlone.identityToken = nil
        codeAlone.clientID = House.juiceWeb.rawValue
        #expect(try await refusal(house, codeAlone) == .invalidRequest)
        var tokenAlone = try await self.credential(house)
        tokenAlone.authorizationCode = nil
        #expect(try await post(house, tokenAlone).status == .ok)
    }
}
