import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Acceptance: events and transfers")
struct EventAcceptanceTests {
    @Test("13. Every event is signed with a key of the set that identity tokens are signed with")
    func events() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let token = try #require(try await emulator.authorize(["hideEmail": true])["id_token"] as? String)
        let grant: [String: any Sendable] = ["person": "johnny", "clientID": "com.example.juice.web"]
        for forwarding in [false, true] {
            let call = try await emulator.call(
                "/emulator/grants/forwarding", grant.merging(["forwarding": forwarding]) { $1 })
            #expect(call.status == 204)
        }
        #expect(try await emulator.call("/emulator/grants/stop-using", grant).status == 204)
        _ = try await emulator.authorize()
        #expect(try await emulator.call("/emulator/keys/rotate", [:]).status == 200)
        #expect(try await emulator.call("/emulator/people/delete", ["person": "johnny"]).status == 204)
        for _ in 0..<4 { try await emulator.emulator.deliverNotifications() }

        let keys = try await PublishedKeys(from: emulator)
        #expect(try keys.verify(token))
        var types: [String] = []
        for payload in try app.payloads {
            #expect(try keys.verify(payload))
            let claims = try #require(
                JSONSerialization.jsonObject(with: ReceivedToken.decoded(String(payload.split(separator: ".")[1])))
                    as? [String: any Sendable])
            #expect(claims["iss"] as? String == "https://appleid.apple.com")
            #expect(claims["aud"] as? String == "com.example.juice")
            let events = try #require(claims["events"] as? String)
            let event = try #require(
                JSONSerialization.jsonObject(with: Data(events.utf8)) as? [String: any Sendable])
            types.append(try #require(event["type"] as? String))
        }
        #expect(Set(types) == ["email-disabled", "email-enabled", "consent-revoked", "account-delete"])
        #expect(types.count == 4)
    }

    @Test("14. A transfer's round trip gives the recipient a new subject and a new relay address")
    func migration() async throws {
        let emulator = try await TestEmulator()
        let soda = "com.example.soda"
        func signIn() async throws -> ReceivedToken {
            let answer = try await emulator.authorize(["clientID": soda, "native": true, "hideEmail": true])
            return try await ReceivedToken(answer["id_token"], from: emulator)
        }
        func migrate(_ team: String, _ key: Portal.Key, _ fields: [String: String]) async throws
            -> [String: any Sendable]
        {
            let secret = try emulator.secret {
                $0.key = key
                $0.header["kid"] = key.id.rawValue
                $0.claims["iss"] = team
                $0.claims["sub"] = soda
            }
            let client = ["client_id": soda, "client_secret": secret]
            let grant = ["grant_type": "client_credentials", "scope": "user.migration"].merging(client) { $1 }
            let access = try await emulator.post("/auth/token", form: grant.sorted { $0.key < $1.key }).json
            let answer = try await emulator.send(
                .post, "/auth/usermigrationinfo",
                headers: [
                    "content-type": "application/x-www-form-urlencoded",
                    "authorization": "Bearer \(try #require(access["access_token"] as? String))",
                ],
                body: Array(TestEmulator.encoded(fields.merging(client) { $1 }.sorted { $0.key < $1.key }).utf8))
            #expect(answer.status == 200, "\(answer.text)")
            return try answer.json
        }

        let before = try await signIn()
        let sent = try await migrate(
            "JUICETEAM1", TestPortal.otherGroupKey, ["sub": try #require(before["sub"]), "target": "CIDERTEAM2"])
        let bridge = try #require(sent["transfer_sub"] as? String)
        #expect(try await emulator.call("/emulator/transfers", ["clientID": soda, "team": "CIDERTEAM2"]).status == 200)
        let app = emulator.emulator.portal.teams[1].apps.first { $0.id.rawValue == soda }
        let received = try await migrate("CIDERTEAM2", try #require(app?.keys.first), ["transfer_sub": bridge])
        let after = try await signIn()
        #expect(received["sub"] as? String == after["sub"])
        #expect(received["email"] as? String == after["email"])
        #expect(received["is_private_email"] as? Bool == true)
        #expect(after["transfer_sub"] == bridge)
        #expect(after["sub"] != before["sub"])
        #expect(after["email"] != before["email"])
    }
}
