import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Revocation")
struct RevocationTests {
    @Test(
        "a refresh or access token ends the consent: all its tokens are dead, and the next sign-in is a first one",
        arguments: ["refresh_token", "access_token"], [false, true])
    func revoked(_ kind: String, _ hasHint: Bool) async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.authorize()
        let tokens = try await emulator.redeem(try #require(first["code"] as? String)).json
        let other = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let late = try #require(try await emulator.authorize()["code"] as? String)

        let token = try #require(tokens[kind] as? String)
        let answer = try await emulator.revoke(token, hasHint ? ["token_type_hint": kind] : [:])
        #expect(answer.status == 200)
        #expect(answer.text.isEmpty)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentType] == nil, "PHP's league/oauth2-client fails on an empty body of a type")

        for dead in [try #require(tokens["refresh_token"] as? String), other] {
            let refused = try await emulator.refresh(dead)
            #expect(refused.status == 400)
            #expect(refused.error == "invalid_grant")
        }
        #expect(try await emulator.redeem(late).error == "invalid_grant", "a code under way is dead, too")
        let again = try await emulator.authorize()
        #expect(again["user"] as? String == first["user"] as? String)
        let old = try await ReceivedToken(first["id_token"], from: emulator)
        #expect(try await ReceivedToken(again["id_token"], from: emulator)["sub"] == old["sub"])
        #expect(try await emulator.redeem(try #require(again["code"] as? String)).status == 200)
    }

    @Test("consent in another group of apps, and other people's, stay")
    func others() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        _ = try await emulator.authorize(["clientID": "com.example.soda", "native": true])
        let mono = try #require(try await emulator.authorize(["person": "mono"])["code"] as? String)
        let theirs = try #require(try await emulator.redeem(mono).json["refresh_token"] as? String)
        #expect(try await emulator.revoke(token).status == 200)
        #expect(try await emulator.authorize(["clientID": "com.example.soda", "native": true])["user"] == nil)
        #expect(try await emulator.refresh(theirs).status == 200)
    }

    @Test("an unknown, dead or expired token gets 200, and nothing ends")
    func unknown() async throws {
        let emulator = try await TestEmulator()
        let tokens = try await emulator.tokens()
        let refresh = try #require(tokens["refresh_token"] as? String)
        emulator.clock.advance(3_601)
        let later = TestEmulator.start + 3_601
        for token in ["garbage", "r0.0.aa.bb", try #require(tokens["access_token"] as? String)] {
            #expect(try await emulator.revoke(token, at: later).status == 200)
        }
        #expect(try await emulator.refresh(refresh, at: later).status == 200)
        for _ in 0..<2 { #expect(try await emulator.revoke(refresh, at: later).status == 200) }
        #expect(try await emulator.refresh(refresh, at: later).error == "invalid_grant")
    }

    @Test("the empty answer can have the content type of the other endpoints")
    func contentType() async throws {
        let emulator = try await TestEmulator { $0.behaviour.revocationAnswerHasContentType = true }
        let answer = try await emulator.revoke("garbage")
        #expect(answer.status == 200)
        #expect(answer.text.isEmpty)
        #expect(answer.headers[.contentType] == "application/json;charset=UTF-8")
    }

    @Test("a client's own access token ends alone")
    func ownToken() async throws {
        let emulator = try await TestEmulator()
        let refresh = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let changes = ["grant_type": "client_credentials", "scope": "user.migration"]
        let own = try #require(try await emulator.redeem("", changes).json["access_token"] as? String)
        #expect(try await emulator.revoke(own).status == 200)
        #expect(try await emulator.refresh(refresh).status == 200)
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let changes: [String: String?]
        let error: String
        var testDescription: String { name }
    }

    @Test(
        "a bad request is refused with Apple's word and status, and ends nothing",
        arguments: [
            Case(name: "no client", changes: ["client_id": nil], error: "invalid_client"),
            Case(name: "no secret", changes: ["client_secret": nil], error: "invalid_client"),
            Case(name: "bad secret", changes: ["client_secret": "x.y.z"], error: "invalid_client"),
            Case(name: "unknown client", changes: ["client_id": "com.example.nobody"], error: "invalid_client"),
            Case(name: "another client", changes: ["client_id": "com.example.juice"], error: "invalid_client"),
            Case(name: "bad secret, no token", changes: ["client_secret": "x", "token": nil], error: "invalid_client"),
            Case(name: "no token", changes: ["token": nil], error: "invalid_request"),
            Case(name: "empty token", changes: ["token": ""], error: "invalid_request"),
            Case(name: "unknown hint", changes: ["token_type_hint": "code"], error: "invalid_request"),
            Case(name: "wrong hint", changes: ["token_type_hint": "access_token"], error: "invalid_request"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let answer = try await emulator.revoke(token, example.changes)
        #expect(answer.status == 400)
        #expect(answer.error == example.error, "\(answer.text)")
        #expect(try answer.json["error_description"] is String == (example.error != "invalid_client"))
        #expect(try await emulator.refresh(token).status == 200)
    }

    @Test("another client's token is an invalid grant")
    func otherClient() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let secret = try emulator.secret { $0.claims["sub"] = "com.example.juice" }
        let changes = ["client_id": "com.example.juice", "client_secret": secret]
        #expect(try await emulator.revoke(token, changes).error == "invalid_grant")
        #expect(try await emulator.refresh(token).status == 200)
    }

    @Test("an empty request is refused for its missing client, and a JSON body for its type")
    func bodies() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.send(.post, "/auth/revoke").error == "invalid_client")
        #expect(try await emulator.post("/auth/revoke", form: []).error == "invalid_client")
        for type in ["application/json", "text/plain"] {
            let answer = try await emulator.send(
                .post, "/auth/revoke", headers: ["content-type": type], body: Array("{}".utf8))
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
        }
        let untyped = try await emulator.send(.post, "/auth/revoke", body: Array("token=x".utf8))
        #expect(untyped.error == "invalid_request")
    }

    @Test(
        "a client that authenticates in two ways is refused, at both endpoints",
        arguments: ["/auth/token", "/auth/revoke"])
    func twoProofs(_ path: String) async throws {
        let emulator = try await TestEmulator()
        let form = TestEmulator.encoded([
            ("grant_type", "refresh_token"), ("client_id", "com.example.juice.web"),
            ("client_secret", try emulator.secret()), ("token", "x"), ("refresh_token", "x"),
        ])
        let answer = try await emulator.send(
            .post, path,
            headers: ["content-type": "application/x-www-form-urlencoded", "authorization": "Basic eDp5"],
            body: Array(form.utf8))
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
        #expect(try #require(answer.json["error_description"] as? String).contains("twice"))
    }

    @Test("a revocation outlives a restart")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-emulator-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "emulator.json").path
        let first = try await TestEmulator { $0.stateFile = file }
        let token = try #require(try await first.tokens()["refresh_token"] as? String)
        #expect(try await first.revoke(token).status == 200)
        let second = try await TestEmulator { $0.stateFile = file }
        #expect(try await second.refresh(token).error == "invalid_grant")
        #expect(try await second.authorize()["user"] != nil)
    }
}
