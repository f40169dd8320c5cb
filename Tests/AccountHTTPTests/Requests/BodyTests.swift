import AccountAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Bodies of requests")
struct BodyTests {
    static let jsonCalls = ["/v1/sign-in/apple", "/v1/challenges", "/v1/session/refresh"]

    @Test("A missing body is refused", arguments: jsonCalls)
    func noBody(path: String) async throws {
        try await withService { client, _ in
            try await client.send(.post, path).expectError(.unsupportedMediaType, 415)
            try await client.send(.post, path, [.contentType: "application/json"]).expectError(.malformedJSON, 400)
        }
    }

    @Test(
        "Another content type is refused",
        arguments: jsonCalls,
        [
            "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
            "application/json, text/plain", "",
        ]
    )
    func contentType(path: String, type: String) async throws {
        try await withService { client, _ in
            try await client.send(.post, path, [.contentType: type], body: ByteBuffer(string: "{}"))
                .expectError(.unsupportedMediaType, 415)
        }
    }

    @Test("Parameters and letter case of the content type do not matter")
    func contentTypeParameters() async throws {
        try await withService { client, _ in
            let answer = try await client.send(
                .post, "/v1/challenges", [.contentType: "Application/JSON ; charset=utf-8"],
                body: ByteBuffer(string: "{}"))
            #expect(answer.status == .ok)
        }
    }

    @Test(
        "A body that isn't strict JSON is refused",
        arguments: jsonCalls,
        [
            "", " ", "{", "nonsense", "{}{}", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"\\u0062\":2}}",
            "{\"a\":\"\\u0000\"}", "{\"\\u0000\":1}", "{\"a\":\"\u{0}\"}", "{\"a\":\"\\ud800\"}", "\u{FEFF}{}",
            "[" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "]",
        ]
    )
    func malformed(path: String, json: String) async throws {
        try await withService { client, _ in
            let error = try await client.post(path, json: json).expectError(.malformedJSON, 400)
            #expect(error.details == nil)
        }
    }

    @Test("Bytes that aren't UTF-8 are refused", arguments: jsonCalls)
    func brokenUTF8(path: String) async throws {
        try await withService { client, _ in
            var body = ByteBuffer(string: "{\"a\":\"")
            body.writeBytes([0xC3, 0x28])
            body.writeString("\"}")
            try await client.send(.post, path, [.contentType: "application/json"], body: body)
                .expectError(.malformedJSON, 400)
        }
    }

    @Test("JSON that isn't an object is refused", arguments: jsonCalls, ["null", "true", "1", "\"a\"", "[]"])
    func noObject(path: String, json: String) async throws {
        try await withService { client, _ in
            try await client.post(path, json: json).expectError(.invalidRequest, 400, field: .some(nil))
        }
    }

    @Test(
        "A member that is missing or of the wrong type is named",
        arguments: [
            ("/v1/sign-in/apple", #"{}"#, "identityToken"),
            ("/v1/sign-in/apple", #"{"identityToken":1,"nonce":"n"}"#, "identityToken"),
            ("/v1/sign-in/apple", #"{"identityToken":null,"nonce":"n"}"#, "identityToken"),
            ("/v1/sign-in/apple", #"{"identityToken":"t"}"#, "nonce"),
            ("/v1/sign-in/apple", #"{"identityToken":"t","nonce":["n"]}"#, "nonce"),
            ("/v1/sign-in/apple", #"{"identityToken":"t","nonce":"n","authorizationCode":{}}"#, "authorizationCode"),
            ("/v1/sign-in/apple", #"{"identityToken":"t","nonce":"n","fullName":"J"}"#, "fullName"),
            (
                "/v1/sign-in/apple", #"{"identityToken":"t","nonce":"n","fullName":{"givenName":1}}"#,
                "fullName.givenName"
            ),
            ("/v1/session/refresh", #"{}"#, "refreshToken"),
            ("/v1/session/refresh", #"{"refreshToken":true}"#, "refreshToken"),
            ("/v1/challenges", #"{"purpose":7}"#, "purpose"),
            ("/v1/challenges", #"{"purpose":""}"#, "purpose"),
            ("/v1/challenges", #"{"purpose":"take_over"}"#, "purpose"),
        ]
    )
    func invalidMember(path: String, json: String, field: String) async throws {
        try await withService { client, _ in
            try await client.post(path, json: json).expectError(.invalidRequest, 400, field: field)
        }
    }

    @Test("Unknown members are ignored")
    func unknownMembers() async throws {
        try await withService { client, _ in
            let answer = try await client.post("/v1/challenges", json: #"{"colour":"green"}"#)
            #expect(answer.status == .ok)
        }
    }

    @Test("A body of 64 KB is read, one byte more is not", arguments: jsonCalls)
    func limit(path: String) async throws {
        try await withService { client, _ in
            let atLimit = "{}" + String(repeating: " ", count: 65_534)
            #expect(try await client.post(path, json: atLimit).status != .contentTooLarge)
            try await client.post(path, json: atLimit + " ").expectError(.bodyTooLarge, 413)
        }
    }

    @Test("Ten megabytes are refused on every path")
    func tenMegabytes() async throws {
        let body = ByteBuffer(repeating: UInt8(ascii: " "), count: 10_485_760)
        try await withService { client, _ in
            for path in Self.jsonCalls + ["/sign-in/apple/callback", "/sign-out", "/nothing", "/"] {
                try await client.send(.post, path, [.contentType: "application/json"], body: body)
                    .expectError(.bodyTooLarge, 413)
            }
            try await client.send(.get, "/healthz", body: body).expectError(.bodyTooLarge, 413)
        }
    }

    @Test("A body on a request that needs none is ignored")
    func uselessBody() async throws {
        try await withService { client, _ in
            let body = ByteBuffer(string: "{\"a\":")
            #expect(try await client.send(.get, "/healthz", body: body).status == .ok)
            #expect(try await client.send(.get, "/", body: body).status == .ok)
            try await client.send(.delete, "/v1/session", body: body).expectError(.accessTokenMissing, 401)
        }
    }

    @Test("A path and query that are too long are refused")
    func longURI() async throws {
        try await withService { client, _ in
            let long = "/?" + String(repeating: "a", count: 8_191)
            #expect(try await client.send(.get, String(long.dropLast())).status == .ok)
            try await client.send(.get, long).expectError(.uriTooLong, 414)
        }
    }
}
