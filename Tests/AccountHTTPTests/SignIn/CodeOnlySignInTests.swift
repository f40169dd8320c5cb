import AccountAPI
import AccountHTTP
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Sign-in with nothing but a code", .eachEngine)
struct CodeOnlySignInTests {
    /// A code of Johnny's without the token that came with it.
    /// - Parameter nonce: The raw one that Apple got the hash of; nil when Apple was given none.
    private func code(_ service: TestService, nonce: String? = nil) async throws -> NativeSignInRequest {
        var order: [String: any Sendable] = [
            "person": "johnny", "clientID": TestService.app.description, "native": true, "scope": "name email",
        ]
        order["nonce"] = nonce.map { service.hash($0) }
        return NativeSignInRequest(
            identityToken: nil, authorizationCode: try await service.apple.authorize(order)["code"], nonce: nonce,
            fullName: FullName(givenName: "Johnny"), clientID: TestService.app.description)
    }

    @Test("The code and its client are enough; other members may be left out", arguments: [true, false])
    func good(hasNonce: Bool) async throws {
        try await withService { client, service in
            let request = try await code(service, nonce: hasNonce ? UUID().uuidString : nil)
            let answer: SignInAnswer = try await client.post("/v1/sign-in/apple", json: request).decode()
            #expect(answer.isNewAccount && answer.account.name?.formatted == "Johnny")
            try await client.post("/v1/sign-in/apple", json: request).expectError(
                hasNonce ? .nonceAlreadyUsed : .codeAlreadyUsed, 401)
            let again = try await code(service)
            let json = """
                {"authorizationCode": "\(try #require(again.authorizationCode))", "clientID": "\(TestService.app)"}
                """
            #expect(try await client.post("/v1/sign-in/apple", json: json).status == .ok)
        }
    }

    @Test("A code without one of our clients is refused, and isn't used up", arguments: [nil, "", "com.example.other"])
    func client(id: String?) async throws {
        try await withService { client, service in
            var request = try await code(service)
            request.clientID = id
            try await client.post("/v1/sign-in/apple", json: request)
                .expectError(.invalidRequest, 400, field: "clientID")
            request.clientID = TestService.app.description
            #expect(try await client.post("/v1/sign-in/apple", json: request).status == .ok)
        }
    }

    @Test("A nonce that Apple knows must be there and match")
    func nonce() async throws {
        try await withService { client, service in
            var request = try await code(service, nonce: UUID().uuidString)
            request.nonce = nil
            try await client.post("/v1/sign-in/apple", json: request).expectError(.nonceMissing, 401)
            request = try await code(service, nonce: UUID().uuidString)
            request.nonce = UUID().uuidString
            try await client.post("/v1/sign-in/apple", json: request).expectError(.nonceMismatch, 401)
        }
    }

    @Test("A token needs its nonce, and a sign-in needs a token or a code")
    func incomplete() async throws {
        try await withService { client, service in
            var request = try await service.nativeCredential()
            request.nonce = nil
            try await client.post("/v1/sign-in/apple", json: request).expectError(.invalidRequest, 400, field: "nonce")
            try await client.post("/v1/sign-in/apple", json: #"{"nonce": "\#(UUID().uuidString)"}"#)
                .expectError(.invalidRequest, 400, field: "identityToken")
        }
    }

    @Test(
        "A text that can't be a code isn't sent to Apple",
        arguments: ["", String(repeating: "c", count: 1_025), "c\u{7F}", "cödé", "a\nb"])
    func odd(code: String) async throws {
        try await withService { client, service in
            service.apple.outage = .all
            for token in [nil, try? await service.nativeCredential().identityToken] {
                let request = NativeSignInRequest(
                    identityToken: token, authorizationCode: code, nonce: UUID().uuidString, fullName: nil,
                    clientID: TestService.app.description)
                try await client.post("/v1/sign-in/apple", json: request)
                    .expectError(.invalidRequest, 400, field: "authorizationCode")
            }
        }
    }

    @Test("A code of a Services ID isn't accepted alone, because only its browser knows whose it is")
    func servicesID() async throws {
        try await withService { client, service in
            let web = try await service.webCredential()
            let request = NativeSignInRequest(
                identityToken: nil, authorizationCode: web.authorizationCode, nonce: web.nonce, fullName: nil,
                clientID: TestService.web.rawValue)
            try await client.post("/v1/sign-in/apple", json: request)
                .expectError(.invalidRequest, 400, field: "clientID")
        }
    }

    @Test("After a hundred refused codes an address must wait, and other addresses needn't")
    func rateLimit() async throws {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
        try await withService(configuration, over: .live) { client, _ in
            let forwardedFor = try #require(HTTPField.Name("X-Forwarded-For"))
            func post(_ code: Int, from address: String) async throws -> TestResponse {
                let json = #"{"authorizationCode": "no-code-\#(code)", "clientID": "\#(TestService.app)"}"#
                return try await client.send(
                    .post, "/v1/sign-in/apple", [.contentType: "application/json", forwardedFor: address],
                    body: ByteBuffer(string: json))
            }
            for code in 0..<100 {
                try await post(code, from: "198.51.100.7").expectError(.grantRejected, 401)
            }
            let answer = try await post(100, from: "198.51.100.7")
            guard case .rateLimited(let delay) = try answer.expectError(.rateLimited, 429).details else {
                Issue.record("no details")
                return
            }
            #expect(delay.retryAfter > 0 && answer.headers[.retryAfter] == "\(delay.retryAfter)")
            try await post(101, from: "198.51.100.8").expectError(.grantRejected, 401)
        }
    }
}
