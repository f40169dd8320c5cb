import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleID

@Suite("Transfer between teams")
struct TransferTests {
    let setup: TestClient
    var client: AppleIDClient { setup.client }
    let token: MigrationToken

    init() throws {
        setup = try TestClient()
        token = MigrationToken(
            client: "com.example.juice", accessToken: AccessToken("a.private"), expiresAt: .distantFuture)
    }

    @Test("The migration token is requested with its one scope, and holds its client and its expiry")
    func migrationToken() async throws {
        setup.transport.answer(TestClient.answer())
        let token = try await client.migrationToken(client: "com.example.juice")
        #expect(token.client == "com.example.juice")
        #expect(token.accessToken.rawValue == "a.token")
        #expect(token.expiresAt == setup.clock.now.addingTimeInterval(3_600))
        #expect(!"\(token)".contains("a.token") && !String(reflecting: token).contains("a.token"))
        #expect(setup.transport.requests.map(\.url) == ["https://appleid.apple.com/auth/token"])
        #expect(setup.fields().suffix(2) == ["grant_type=client_credentials", "scope=user.migration"])
    }

    @Test("The sender sends the person and the other team, and gets the transfer subject")
    func sender() async throws {
        setup.transport.answer(.ok(Array(#"{"transfer_sub":"t.1","more":[]}"#.utf8)))
        #expect(try await client.transferSubject(of: "s.1", to: "TEAM000002", using: token) == "t.1")
        let request = try #require(setup.transport.requests.first)
        #expect(request.url == "https://appleid.apple.com/auth/usermigrationinfo")
        #expect(request.head.headerFields[.authorization] == "Bearer a.private")
        #expect(
            setup.fields().map { $0.prefix { $0 != "=" } } == ["sub", "target", "client_id", "client_secret"])
        #expect(setup.fields().prefix(2) == ["sub=s.1", "target=TEAM000002"])
    }

    @Test(
        "The recipient gets the person, with a new relay address if there was an old one",
        arguments: [
            (#"{"sub":"n.1","email":"r@x.com","is_private_email":true}"#, "r@x.com", true),
            (#"{"sub":"n.1","email":"r@x.com","is_private_email":"true"}"#, "r@x.com", true),
            (#"{"sub":"n.1","email":"","is_private_email":1}"#, nil, false),
            (#"{"sub":"n.1"}"#, nil, false),
        ] as [(String, String?, Bool)])
    func recipient(body: String, email: String?, isPrivate: Bool) async throws {
        setup.transport.answer(.ok(Array(body.utf8)))
        let person = try await client.person(ofTransferSubject: "t.1", using: token)
        #expect(person == TransferredPerson(subject: "n.1", email: email, isPrivateEmail: isPrivate))
        #expect(
            !"\(person) \(String(reflecting: person))".contains("r@x.com")
                && Mirror(reflecting: person).children.isEmpty)
        #expect(setup.fields().map { $0.prefix { $0 != "=" } } == ["transfer_sub", "client_id", "client_secret"])
    }

    @Test(
        "The error tells a refusal of one person from a failure of the whole job",
        arguments: [
            (400, #"{"error":"invalid_request"}"#, .transferRejected, .onePerson),
            (400, #"{"error":"invalid_grant"}"#, .transferRejected, .onePerson),
            (400, #"{"error":"invalid_client"}"#, .clientRejected, .configuration),
            (403, "<html></html>", .appleUnavailable, .transient),
            (403, #"{"error":"invalid_request"}"#, .appleUnavailable, .transient),
            (429, "", .appleUnavailable, .transient), (200, "<html></html>", .malformedAnswer, .transient),
            (200, "{}", .malformedAnswer, .transient),
            (200, #"{"transfer_sub":5,"sub":""}"#, .malformedAnswer, .transient),
            (200, "[]", .malformedAnswer, .transient),
        ] as [(Int, String, AppleIDError.Code, AppleIDError.Kind)])
    func refusal(status: Int, body: String, code: AppleIDError.Code, kind: AppleIDError.Kind) async {
        setup.transport.answer(.status(status, body))
        let sender = await failure { () async throws(AppleIDError) in
            _ = try await client.transferSubject(of: "s.private", to: "TEAM000002", using: token)
        }
        let recipient = await failure { () async throws(AppleIDError) in
            _ = try await client.person(ofTransferSubject: "t.private", using: token)
        }
        for error in [sender, recipient] {
            #expect(error?.code == code)
            #expect(error.map { !String(reflecting: $0).contains("private") } == true)
            #expect(error?.kind == kind)
        }
    }

    @Test("An expired token is refused before a request, and not counted as the person's refusal")
    func expired() async {
        setup.transport.answer(.status(400, #"{"error":"invalid_request"}"#))
        let expired = MigrationToken(
            client: "com.example.juice", accessToken: AccessToken("a"), expiresAt: setup.clock.now)
        await #expect(throws: AppleIDError(.migrationTokenExpired, "")) {
            try await client.transferSubject(of: "s", to: "TEAM000002", using: expired)
        }
        await #expect(throws: AppleIDError(.migrationTokenExpired, "")) {
            try await client.person(ofTransferSubject: "t", using: expired)
        }
        #expect(setup.transport.requests.isEmpty)
    }

    @Test("A loop over many people renews the token in its last minute, and keeps it until then")
    func renewal() async throws {
        setup.transport.answer(TestClient.answer(["access_token": "\"a.first\""]))
        let first = try await client.migrationToken(client: "com.example.juice")
        setup.transport.answer(TestClient.answer(["access_token": "\"a.second\""]))
        setup.clock.advance(by: 3_539)
        #expect(try await client.migrationToken(renewing: first) == first)
        #expect(setup.transport.requests.count == 1)
        setup.clock.advance(by: 1)
        let second = try await client.migrationToken(renewing: first)
        #expect(second.accessToken.rawValue == "a.second")
        #expect(second.client == first.client)
        #expect(second.expiresAt == setup.clock.now.addingTimeInterval(3_600))
    }

    @Test("A subject beyond the length limit is refused")
    func longSubject() async {
        setup.transport.answer(.ok(Array(#"{"sub":"\#(String(repeating: "s", count: 256))"}"#.utf8)))
        await #expect(throws: AppleIDError(.malformedAnswer, "")) {
            try await client.person(ofTransferSubject: "t", using: token)
        }
    }

    @Test("A transfer to one's own team, or without a person, is refused before a request")
    func local() async {
        for (subject, team) in [("s", "TEAM000001"), ("", "TEAM000002"), ("s", "")] as [(Subject, TeamID)] {
            await #expect(throws: AppleIDError(.invalidTransfer, "")) {
                try await client.transferSubject(of: subject, to: team, using: token)
            }
        }
        await #expect(throws: AppleIDError(.invalidTransfer, "")) {
            try await client.person(ofTransferSubject: "", using: token)
        }
        #expect(setup.transport.requests.isEmpty)
    }
}
