import AppleIDTypes
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The control calls")
struct ControlCallTests {
    @Test("the portal call shows what the portal value encodes to, private keys included")
    func portal() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get("/emulator/portal")
        #expect(try JSONDecoder().decode(Portal.self, from: Data(answer.text.utf8)) == TestPortal.portal)
        let json = try answer.json
        #expect(Set(json.keys) == ["baseURL", "issuer", "teams", "people"])
        let team = try #require((json["teams"] as? [[String: any Sendable]])?.first)
        #expect(Set(team.keys) == ["id", "name", "apps"])
        let apps = try #require(team["apps"] as? [[String: any Sendable]])
        #expect(Set(apps[0].keys) == ["id", "name", "services", "keys"])
        #expect(apps[1]["primary"] as? String == "com.example.juice")
        let key = try #require((apps[0]["keys"] as? [[String: String]])?.first)
        #expect(key["privateKey"]?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
        let person = try #require((json["people"] as? [[String: any Sendable]])?.first)
        #expect(
            person as? [String: String] == [
                "id": "johnny", "email": "johnny@example.com", "name": "Johnny Appleseed",
            ])
    }

    @Test("the seeded portal has Johnny first, and one of everything a relying party needs")
    func seeded() async throws {
        let emulator = try await TestEmulator(portal: nil) { $0.returnURLs = ["https://a.example/cb"] }
        let portal = emulator.emulator.portal
        #expect(portal.people.first?.name == "Johnny Appleseed")
        #expect(portal.teams.count == 1)
        #expect(portal.teams[0].id.rawValue.count == 10)
        #expect(portal.teams[0].apps.map(\.id) == ["com.example.juice"])
        #expect(portal.teams[0].apps[0].services.map(\.id) == ["com.example.juice.web"])
        #expect(portal.teams[0].apps[0].services[0].returnURLs == ["https://a.example/cb"])
        #expect(portal.teams[0].apps[0].keys.count == 1)
        let other = try await TestEmulator(portal: nil)
        #expect(portal.teams[0].apps[0].keys != other.emulator.portal.teams[0].apps[0].keys, "keys are new each time")
    }

    @Test("a cancelled authorization returns what the client would get")
    func cancel() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.authorize(["decision": "cancel", "state": "s"])
        #expect(answer as? [String: String] == ["error": "user_cancelled_authorize", "state": "s"])
    }

    @Test("without a redirect URI the first registered one is used")
    func defaultRedirect() async throws {
        let emulator = try await TestEmulator()
        let code = try #require(try await emulator.authorize()["code"] as? String)
        #expect(try await emulator.redeem(code, ["redirect_uri": TestEmulator.callback]).status == 200)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let changes: [String: any Sendable]
        let error: String
        let message: String
        var status = 400
        var testDescription: String { message }
    }

    @Test(
        "a call that fails says why",
        arguments: [
            Case(
                changes: ["person": "nobody"], error: "unknown_person", message: "No person has this id.", status: 404),
            Case(changes: ["person": 1], error: "invalid_request", message: "person must be a string."),
            Case(changes: ["clientID": "x"], error: "invalid_client", message: "No client has this client_id."),
            Case(
                changes: ["redirectURI": "https://a.example/"], error: "invalid_request",
                message: "Invalid web redirect url."),
            Case(changes: ["decision": "maybe"], error: "invalid_request", message: "decision must be"),
            Case(changes: ["colour": "red"], error: "invalid_request", message: "colour is not a member"),
            Case(
                changes: ["name": ["firstName": "A", "middleName": "B"]], error: "invalid_request",
                message: "name.middleName is not a member"),
            Case(changes: ["name": "Johnny"], error: "invalid_request", message: "name must be an object."),
            Case(changes: ["hideEmail": "yes"], error: "invalid_request", message: "hideEmail must be true or false."),
            Case(
                changes: ["name": ["firstName": String(repeating: "x", count: 256)]], error: "invalid_request",
                message: "A name may have 255"),
            Case(changes: ["native": true], error: "invalid_client", message: "a device signs in with an App ID"),
            Case(
                changes: ["native": true, "clientID": "com.example.juice", "redirectURI": "https://a.example/"],
                error: "invalid_request", message: "A device sends no redirect URI"),
            Case(changes: ["realUserStatus": 1], error: "invalid_request", message: "realUserStatus is for devices"),
            Case(
                changes: ["native": true, "clientID": "com.example.juice", "realUserStatus": 3],
                error: "invalid_request", message: "realUserStatus must be 0, 1 or 2."),
            Case(changes: ["realUserStatus": 1.5], error: "invalid_request", message: "must be a whole number"),
            Case(changes: ["codeChallenge": "short"], error: "invalid_request", message: "code_challenge must be"),
            Case(
                changes: ["responseMode": "query"], error: "invalid_request", message: "fragment or form_post"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        var order: [String: any Sendable] = [
            "person": "johnny", "clientID": "com.example.juice.web", "scope": "name email",
        ]
        order.merge(example.changes) { _, new in new }
        let answer = try await emulator.order(order)
        #expect(answer.status == example.status)
        #expect(answer.error == example.error)
        #expect(try #require(answer.json["message"] as? String).contains(example.message), "\(answer.text)")
    }

    @Test("a return URL can be registered later, for an existing Services ID")
    func register() async throws {
        let emulator = try await TestEmulator()
        try await emulator.emulator.register(returnURL: "http://localhost:9/cb", for: "com.example.juice.web")
        #expect(try await emulator.authorize(["redirectURI": "http://localhost:9/cb"])["code"] != nil)
        await #expect(throws: EmulatorError(.invalidPortal, "")) {
            try await emulator.emulator.register(returnURL: "http://localhost:9/cb", for: "com.example.juice")
        }
        await #expect(throws: EmulatorError(.invalidPortal, "")) {
            try await emulator.emulator.register(returnURL: "localhost:9", for: "com.example.juice.web")
        }
    }
}
