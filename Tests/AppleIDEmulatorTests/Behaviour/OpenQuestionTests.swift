import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// Each test shows both sides: the default, and the other behaviour.
@Suite("Questions about Apple that have no known answer")
struct OpenQuestionTests {
    private static let both = [false, true]

    private func emulator(
        _ isOn: Bool, _ otherSide: (inout Behaviour) -> Void
    ) async throws -> TestEmulator {
        try await TestEmulator { if isOn { otherSide(&$0.behaviour) } }
    }

    private func stopUsing(_ emulator: TestEmulator, _ client: String = "com.example.juice.web") async throws {
        let answer = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": client])
        #expect(answer.status == 204)
    }

    private func email(_ token: (any Sendable)?, _ emulator: TestEmulator) async throws -> String? {
        try await ReceivedToken(token, from: emulator)["email"]
    }

    @Test("without response_mode the answer comes by OAuth's defaults, or as a form", arguments: both)
    func defaultMode(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.defaultResponseMode = .formPost }
        for (type, start) in [("code", "?"), ("code id_token", "#")] {
            let id = try await emulator.begin(["response_type": type, "response_mode": nil, "scope": nil])
            let answer = try await emulator.decide(id)
            #expect(answer.headers[.location]?.hasPrefix(TestEmulator.callback + start) == (isOn ? nil : true))
            #expect((answer.hiddenFields["code"] != nil) == isOn)
        }
        let scoped = try await emulator.get(TestEmulator.authorizePath(["response_mode": nil]))
        #expect(scoped.status == (isOn ? 200 : 400))
    }

    @Test("a plain code challenge is refused, or must come again as the verifier", arguments: both)
    func plainChallenge(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.acceptsPlainCodeChallenges = true }
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        for method in ["plain", nil] {
            let changes: [String: String?] = ["code_challenge": verifier, "code_challenge_method": method]
            guard isOn else {
                #expect(try await emulator.get(TestEmulator.authorizePath(changes)).status == 400)
                continue
            }
            let code = try #require(
                try await emulator.decide(try await emulator.begin(changes)).hiddenFields["code"])
            let wrong = String(verifier.reversed())
            #expect(try await emulator.redeem(code, ["code_verifier": wrong]).error == "invalid_grant")
            #expect(try await emulator.redeem(code, ["code_verifier": verifier]).status == 200)
        }
        let short = TestEmulator.authorizePath(["code_challenge": "abc"])
        #expect(try await emulator.get(short).status == 400)
    }

    @Test("user has the requested parts, or all parts", arguments: both)
    func userParts(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.userFieldHasAllParts = true }
        let email = try await emulator.authorize(["scope": "email"])["user"] as? String
        let name = try await emulator.authorize(["person": "mono", "scope": "name"])["user"] as? String
        let noName = #""name":{"firstName":"","lastName":""}"#
        #expect(email == (isOn ? "{\(noName)," : "{") + #""email":"johnny@example.com"}"#)
        #expect(name == #"{"name":{"firstName":"Mononym","lastName":""}"# + (isOn ? #","email":""}"# : "}"))
        #expect(try await emulator.authorize()["user"] == nil, "still once only")
        let none = try await emulator.authorize(["person": "mallory", "scope": "openid"])
        #expect(none["user"] == nil)
    }

    @Test("the address is in every token, or only in those of the first sign-in", arguments: both)
    func emailLater(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.emailComesFirstTimeOnly = true }
        let later: String? = isOn ? nil : "johnny@example.com"
        let first = try await emulator.authorize()
        #expect(try await email(first["id_token"], emulator) == "johnny@example.com")
        let tokens = try await emulator.redeem(try #require(first["code"] as? String)).json
        #expect(try await email(tokens["id_token"], emulator) == "johnny@example.com")
        let refreshed = try await emulator.refresh(try #require(tokens["refresh_token"] as? String)).json
        #expect(try await email(refreshed["id_token"], emulator) == later)
        let second = try await emulator.authorize()
        #expect(try await email(second["id_token"], emulator) == later)
        let redeemed = try await emulator.redeem(try #require(second["code"] as? String)).json
        let token = try await ReceivedToken(redeemed["id_token"], from: emulator)
        #expect(token["email"] == later)
        #expect(token.payload.contains("email_verified") == !isOn)
        try await stopUsing(emulator)
        #expect(try await email(emulator.authorize()["id_token"], emulator) == "johnny@example.com")
    }

    @Test("after Stop Using the relay address is the old one, or a new one that stays", arguments: both)
    func relayAfterStopUsing(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.stopUsingChangesRelayAddress = true }
        let first = try await emulator.relayAddress()
        let soda = try await emulator.relayAddress(["clientID": "com.example.soda", "native": true])
        #expect(soda == first)
        try await stopUsing(emulator)
        #expect(try await emulator.relayAddress() == first, "another app of the team has it still")
        try await stopUsing(emulator, "com.example.soda")
        let forwarding: [String: any Sendable] = [
            "person": "johnny", "clientID": "com.example.juice", "forwarding": false,
        ]
        #expect(try await emulator.call("/emulator/grants/forwarding", forwarding).status == 204)
        try await stopUsing(emulator)
        let second = try await emulator.relayAddress()
        #expect((second != first) == isOn)
        let grants = try await emulator.get("/emulator/grants").text
        #expect(grants.contains(second))
        #expect(grants.contains(#""forwarding":true"#) == isOn, "whose address is new, has it forwarded")

        let snapshot = try await emulator.get("/emulator/snapshot").text
        let other = try await TestEmulator()
        let loaded = try await other.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"], body: Array(snapshot.utf8))
        #expect(loaded.status == 204)
        #expect(try await email(other.authorize()["id_token"], other) == second)
        _ = try await other.call("/emulator/reset", [:])
        #expect(try await other.relayAddress() == first, "a reset forgets this, too")
    }

    @Test("real_user_status comes again after Stop Using, or never again", arguments: both)
    func realUserStatus(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.realUserStatusComesOnce = true }
        let native: [String: any Sendable] = ["clientID": "com.example.juice", "native": true]
        func status() async throws -> Int64? {
            try await ReceivedToken(emulator.authorize(native)["id_token"], from: emulator)
                .number("real_user_status")
        }
        #expect(try await status() == 2)
        #expect(try await status() == nil)
        try await stopUsing(emulator)
        #expect(try await status() == (isOn ? nil : 2))
    }

    @Test("another app of the group gets no name, or gets the first app's name once", arguments: both)
    func siblings(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.siblingAppsGetName = true }
        let name: [String: any Sendable] = ["firstName": "Jo", "lastName": "A"]
        #expect(try await emulator.authorize(["name": name])["user"] != nil)
        let mini: [String: any Sendable] = [
            "clientID": "com.example.juice.mini", "native": true, "name": ["firstName": "Other", "lastName": "B"],
        ]
        let user = try await emulator.authorize(mini)["user"] as? String
        #expect(user == (isOn ? #"{"name":{"firstName":"Jo","lastName":"A"}}"# : nil))
        #expect(try await emulator.authorize(mini)["user"] == nil)
        let bundle = try await emulator.authorize(["clientID": "com.example.juice", "native": true])
        #expect(bundle["user"] == nil, "the primary App ID is no sibling of its own Services ID")
        let unasked = try await emulator.authorize(["person": "mono", "scope": "email"])
        #expect(unasked["user"] != nil)
        let silent = mini.merging(["person": "mono"]) { _, new in new }
        #expect(try await emulator.authorize(silent)["user"] == nil, "nobody has the name")
    }

    @Test("a change of the password notifies nobody, or all apps in use", arguments: both)
    func passwordChange(isOn: Bool) async throws {
        let emulator = try await TestApp().emulator { $0.behaviour.passwordChangeNotifies = isOn }
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        _ = try await emulator.authorize(["person": "mono"])
        #expect(try await emulator.call("/emulator/people/change-password", ["person": "johnny"]).status == 204)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        let types = try await emulator.notifications.map { $0["type"] as? String }
        #expect(types == (isOn ? ["consent-revoked"] : []))
        #expect(try await emulator.authorize()["user"] == nil, "the consent stays")
    }

    @Test("mail while forwarding is off is refused in one of two ways", arguments: both)
    func forwardingOff(isOn: Bool) async throws {
        let (emulator, relay) = try await TestEmulator.withRelay {
            if isOn { $0.behaviour.forwardingOff = .mailboxDisabled }
        }
        let members: [String: any Sendable] = [
            "person": "johnny", "clientID": "com.example.juice", "forwarding": false,
        ]
        #expect(try await emulator.call("/emulator/grants/forwarding", members).status == 204)
        var sender = TestSender(emulator)
        let reply = sender.mail(to: [relay])
        #expect(
            reply
                == (isOn
                    ? "550 5.2.1 mailbox disabled, not accepting messages" : "550 5.1.1 bad mailbox name"))
    }

    @Test("the 101st mail of a day is refused for the time being, or for good", arguments: both)
    func dailyLimit(isOn: Bool) async throws {
        let (emulator, relay) = try await TestEmulator.withRelay { if isOn { $0.behaviour.dailyMailLimit = .final } }
        let order: [String: any Sendable] = ["from": TestSender.address, "to": [relay]]
        for _ in 0..<RelayCount.maximum {
            #expect(try await emulator.call("/emulator/mail", order).json["accepted"] as? Bool == true)
        }
        let reply = try await emulator.call("/emulator/mail", order).json["reply"] as? String
        let text = "this address has had its 100 mails of the day"
        #expect(reply == (isOn ? "552 5.2.2 " : "450 4.2.1 ") + text)
    }

    @Test("the script uses the whole page by default, or a popup", arguments: both)
    func popup(isOn: Bool) async throws {
        let emulator = try await emulator(isOn) { $0.scriptUsesPopupByDefault = true }
        let script = try await emulator.get("/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js").text
        #expect(script.contains("\"popupByDefault\":\(isOn)"))
    }
}
