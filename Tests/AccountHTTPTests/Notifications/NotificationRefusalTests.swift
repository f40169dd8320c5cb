import AccountAPI
import AccountDatabase
import AccountService
import AppleIDEmulator
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Requests to the notification endpoint that are refused", .eachEngine)
struct NotificationRefusalTests {
    @Test(
        "A body that can't be read is refused",
        arguments: [
            ("", .malformedToken, 400), ("{", .malformedToken, 400), ("[]", .malformedToken, 400),
            (#"{"payload":1}"#, .malformedToken, 400), (#"{"payload":"a.b"}"#, .malformedToken, 400),
            (#"{"payload":"","payload":""}"#, .malformedToken, 400),
            (#"{"payload":"eyJhbGciOiJub25lIiwia2lkIjoiYSJ9.e30.YQ"}"#, .unsupportedAlgorithm, 401),
        ] as [(String, ErrorCode, Int)])
    func malformed(body: String, code: ErrorCode, status: Int) async throws {
        try await withService { client, service in
            try await client.post("/apple/notifications", json: body).expectError(code, status)
            #expect(try await service.store.appleNotifications(limit: 1).isEmpty)
        }
    }

    @Test("Another content type, and a body that is too large, are refused")
    func form() async throws {
        try await withService { client, _ in
            try await client.post("/apple/notifications", form: "payload=a").expectError(.unsupportedMediaType, 415)
            let large = #"{"payload":""# + String(repeating: "a", count: 70_000) + #""}"#
            try await client.post("/apple/notifications", json: large).expectError(.bodyTooLarge, 413)
            let token = #"{"payload":""# + String(repeating: "a", count: 60_000) + #""}"#
            try await client.post("/apple/notifications", json: token).expectError(.tokenTooLarge, 400)
        }
    }

    @Test("Another method is refused")
    func method() async throws {
        try await withService { client, _ in
            try await client.send(.get, "/apple/notifications").expectError(.methodNotAllowed, 405)
        }
    }

    @Test("An identity token sent as a notification is refused")
    func identityToken() async throws {
        try await withService { client, service in
            let credential = try await service.nativeCredential()
            let body = #"{"payload":"\#(credential.identityToken ?? "")"}"#
            try await client.post("/apple/notifications", json: body).expectError(.notANotification, 401)
            // Nor does the attempt use it up.
            #expect(try await client.post("/v1/sign-in/apple", json: credential).status == .ok)
        }
    }

    @Test("A notification sent as an identity token is refused")
    func notification() async throws {
        try await withService { client, service in
            _ = try await service.signInNatively(client)
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            let body = try #require(service.apple.post.bodies.first)
            let payload = try JSONDecoder().decode([String: String].self, from: Data(body.utf8))["payload"]
            let request = NativeSignInRequest(
                identityToken: payload, authorizationCode: nil, nonce: "a-nonce-of-twenty-characters")
            try await client.post("/v1/sign-in/apple", json: request).expectError(.notAnIdentityToken, 401)
        }
    }

    @Test("A notification for a client of another service is refused")
    func audience() async throws {
        try await withService { client, service in
            _ = try await service.signInNatively(client)
            try await service.apple.control(
                "/emulator/portal/apps", ["team": service.teamID, "id": "com.example.other", "name": "Other"])
            try await service.apple.control(
                "/emulator/notifications/address",
                ["clientID": "com.example.other", "url": "https://juice.example.com/apple/notifications"])
            try await service.apple.control(
                "/emulator/notifications",
                ["type": "consent-revoked", "person": "johnny", "clientID": "com.example.other"])
            #expect(try await service.apple.deliver(to: client) == [401])
            #expect(try await service.store.appleNotifications(limit: 1).isEmpty)
        }
    }

    @Test(
        "A wrong signature, and a key that Apple doesn't have, are refused",
        arguments: ["wrong-signature", "unknown-kid"])
    func faults(kind: String) async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            try await service.apple.control("/emulator/faults", ["fault": kind, "endpoint": "notifications"])
            try await service.apple.stopUsing()
            let statuses = try await service.apple.deliver(to: client)
            #expect(statuses == [401])
            let account = try await client.send(
                .get, "/v1/account", [.authorization: "Bearer \(session.accessToken)"])
            #expect(account.status == .ok)
        }
    }

    @Test("Without Apple's keys, or without the store, Apple is asked to send the notification again")
    func outage() async throws {
        try await withService { client, service in
            try await service.apple.control(
                "/emulator/notifications",
                ["type": "consent-revoked", "person": "johnny", "clientID": TestService.app.rawValue])
            service.apple.outage = .all
            #expect(try await service.apple.deliver(to: client) == [503])
            service.apple.outage = .none
            service.clock.advance(by: .seconds(3_600))
            #expect(try await service.apple.deliver(to: client) == [503, 200])
            try await service.closeStore()
            let body = try #require(service.apple.post.bodies.first)
            try await client.post("/apple/notifications", json: body).expectError(.unavailable, 503)
        }
    }
}

extension TestService {
    /// The first team's.
    fileprivate var teamID: String { apple.emulator.portal.teams.first?.id.rawValue ?? "" }
}
