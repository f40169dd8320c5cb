import AccountAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("An app asks for an authorization", .eachEngine)
struct AuthorizationCallTests {
    @Test("With a redirect URI it gets a page of ours to open, and nothing else")
    func redirect() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let answer = try await client.post("/v1/authorizations", json: app.request())
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.setCookie] == nil)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            #expect(Set(json.keys) == ["id", "url", "expiresAt"])
            let id = try #require(json["id"] as? String)
            #expect(id.hasPrefix("aut_"))
            #expect(json["url"] as? String == "\(TestService.publicURL)/authorizations/\(id)")
            #expect((json["expiresAt"] as? String)?.hasSuffix("Z") == true)
        }
    }

    @Test("Without one it gets a user code for the person and a device code for itself")
    func device() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let answer = try await client.post("/v1/authorizations", json: app.request(nil))
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            #expect(Set(json.keys) == ["deviceCode", "userCode", "verificationURL", "interval", "expiresAt"])
            let userCode = try #require(json["userCode"] as? String)
            #expect(userCode.contains(#/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/#))
            #expect(json["verificationURL"] as? String == "\(TestService.publicURL)/device")
            #expect(json["interval"] as? Int == 5)
            #expect(!answer.text.contains("aut_"))
        }
    }

    @Test("A request with a missing or wrong member is refused, and the error says what is wrong")
    func invalid() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            func refused(
                _ code: ErrorCode, field: String?? = .none, sourceLocation: SourceLocation = #_sourceLocation,
                _ change: (inout BeginAuthorizationRequest) -> Void
            ) async throws {
                var request = app.request()
                change(&request)
                try await client.post("/v1/authorizations", json: request)
                    .expectError(code, 400, field: field, sourceLocation: sourceLocation)
            }
            try await refused(.appUnknown) { $0.app = "cider" }
            try await refused(.appUnknown) { $0.app = "" }
            try await refused(.redirectURIMismatch) { $0.redirectURI = "https://evil.example/" }
            try await refused(.redirectURIMismatch) { $0.redirectURI = "http://localhost:1/back" }
            try await refused(.redirectURIMismatch) { $0.redirectURI = "" }
            try await refused(.invalidRequest, field: "codeChallenge") { $0.codeChallenge = "" }
            try await refused(.invalidRequest, field: "codeChallenge") { $0.codeChallenge += "A" }
            try await refused(.invalidRequest, field: "scope") { $0.scope = "name phone" }
            for (json, field) in [
                ("{}", "app"), (#"{"app": 1}"#, "app"), (#"{"app": "juice"}"#, "codeChallenge"),
                (#"{"app": "juice", "codeChallenge": null}"#, "codeChallenge"),
            ] {
                try await client.post("/v1/authorizations", json: json).expectError(.invalidRequest, 400, field: field)
            }
        }
    }

    @Test(
        "Each call accepts only JSON by POST, and no form",
        arguments: ["/v1/authorizations", "/v1/authorizations/redeem", "/v1/authorizations/cancel"])
    func form(path: String) async throws {
        try await withService { client, _ in
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            try await client.send(.post, path, form, body: ByteBuffer(string: "app=juice"))
                .expectError(.unsupportedMediaType, 415)
            try await client.post(path, json: "{").expectError(.malformedJSON, 400)
            try await client.post(path, json: #"{"app": "a", "app": "b"}"#).expectError(.malformedJSON, 400)
            let answer = try await client.send(.get, path)
            try answer.expectError(.methodNotAllowed, 405)
            #expect(answer.headers[.allow] == "POST")
        }
    }

    @Test(
        "Redeeming and cancelling take exactly one name of the authorization",
        arguments: [
            ("redeem", "{}", "codeVerifier"), ("redeem", #"{"codeVerifier": "v"}"#, "handle"),
            ("redeem", #"{"codeVerifier": "v", "handle": "h", "deviceCode": "d"}"#, "handle"),
            ("redeem", #"{"handle": "h"}"#, "codeVerifier"), ("cancel", #"{"codeVerifier": "v"}"#, "id"),
            ("cancel", #"{"codeVerifier": "v", "id": "i", "deviceCode": "d"}"#, "id"),
            ("cancel", #"{"id": "i"}"#, "codeVerifier"),
            ("cancel", #"{"codeVerifier": "v", "id": "i"}"#, "codeVerifier"),
        ])
    func oneKey(call: String, json: String, field: String) async throws {
        try await withService { client, _ in
            try await client.post("/v1/authorizations/\(call)", json: json)
                .expectError(.invalidRequest, 400, field: field)
        }
    }

    @Test("An unknown handle or device code is refused")
    func unknown() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            for handle in ["", "x", String(repeating: "A", count: 43)] {
                try await app.redeem(handle: handle).expectError(.handleInvalid, 401)
            }
            for code in ["", "x", String(repeating: "A", count: 43)] {
                try await app.redeem(deviceCode: code).expectError(.authorizationUnknown, 400)
            }
        }
    }

    @Test("Cancelling is answered alike, whether the authorization exists or not")
    func cancel() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let authorization = try await app.begin()
            let device = try await app.beginOnDevice()
            for request in [
                CancelAuthorizationRequest(id: "x", codeVerifier: app.verifier),
                CancelAuthorizationRequest(id: "aut_x", codeVerifier: app.verifier),
                CancelAuthorizationRequest(id: authorization.id, codeVerifier: String(repeating: "v", count: 43)),
                CancelAuthorizationRequest(deviceCode: "x", codeVerifier: app.verifier),
                CancelAuthorizationRequest(deviceCode: device.deviceCode, codeVerifier: app.verifier),
                CancelAuthorizationRequest(id: authorization.id, codeVerifier: app.verifier),
            ] {
                let answer = try await client.post("/v1/authorizations/cancel", json: request)
                #expect(answer.status == .noContent && answer.text.isEmpty)
            }
            #expect(try await client.page(app.path(of: authorization)).status == .badRequest)
        }
    }
}
