import AppleIDTypes
import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("A portal's file")
struct PortalFileTests {
    private func parse(_ text: String, isStrict: Bool = false) throws -> Portal {
        try PortalFile.parse(Array(text.utf8), name: "portal.json", isStrict: isStrict)
    }

    /// One team with one app and what is given for them.
    private func text(
        team: String = "", app: String = #","keys":[{}]"#, people: String = "", portal: String = ""
    ) -> String {
        """
        {"teams":[
        {"id":"TEAM000001"\(team),"apps":[
        {"id":"com.example.app"\(app)}]}],
        "people":[\(people)]\(portal)}
        """
    }

    @Test("may leave out names and keys, which get defaults")
    func defaults() throws {
        let portal = try parse(text(people: #"{"id":"ada","email":"ada@example.com"}"#))
        #expect(portal.teams[0].name == "TEAM000001")
        #expect(portal.teams[0].apps[0].name == "com.example.app")
        let key = portal.teams[0].apps[0].keys[0]
        #expect(key.id.rawValue.count == 10)
        #expect(key.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(portal.people == [Portal.Person(id: "ada", email: "ada@example.com", name: "ada")])
        #expect(try parse("{}").teams.isEmpty)
    }

    @Test("may hold the answer of the control call for the portal")
    func roundTrip() async throws {
        var portal = Portal.seeded()
        portal.people[0].otherEmails = ["j@example.org"]
        portal.people[0].password = "secret"
        portal.people[0].twoFactor = false
        portal.people[0].organizationID = "org"
        portal.people[0].emailVerified = false
        portal.people[0].child = true
        portal.people[0].relayDomain = .privateICloud
        portal.teams[0].individual = true
        portal.plainNotificationHosts = ["app"]
        portal.teams[0].apps[0].notificationURL = "http://app:8080/apple"
        portal.teams[0].apps.append(Portal.App(id: "com.example.mini", name: "Mini", primary: "com.example.juice"))
        let emulator = try await TestEmulator(portal: portal)
        let shown = try await emulator.get("/emulator/portal").text
        #expect(try parse(shown) == emulator.emulator.portal)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let text: String
        let reason: String
        var isStrict = false
        var testDescription: String { reason }
    }

    @Test(
        "is refused with line, member and reason if it is wrong",
        arguments: [
            ("{", "line 1: not acceptable JSON (malformed)"),
            ("{\n\"teams\":[],\n\"teams\":[]}", "line 3: not acceptable JSON (duplicate_member)"),
            ("[]", "line 1: The body must be an object."),
            (#"{"team":[]}"#, "line 1: team is not a member here."),
            ("{\n\"teams\":{}}", "line 2: teams must be an array."),
            ("{\"teams\":[\n{}]}", "line 2: teams[0].id is missing."),
            ("{\"teams\":[\n3]}", "line 2: teams[0] must be an object."),
            ("{\"people\":[\n{\"id\":\n7}]}", "line 3: people[0].id must be a string."),
            (
                "{\"people\":[{\"id\":\"a\",\"relayDomain\":\n\"example.com\"}]}",
                "line 2: people[0].relayDomain must be one of privaterelay.appleid.com, icloud.com, private.icloud.com."
            ),
            (
                "{\"people\":[\n{\"id\":\"a\"}]}",
                "line 2: people[0].email: a has no email, and no organization that manages the account"
            ),
        ])
    func wrong(_ text: String, _ reason: String) throws {
        let error = #expect(throws: EmulatorError.self) { try parse(text) }
        #expect(error?.code == .invalidPortal)
        #expect(error?.reason == "portal.json, " + reason)
    }

    @Test(
        "is refused with the rule that it breaks, and where",
        arguments: [
            (#","keys":[{},{},{}]"#, "keys: there may be 2 keys of a primary App ID at most"),
            (#","keys":[{"id":"K","privateKey":"x"}]"#, "keys[0].privateKey: key K is no PEM P-256 private key"),
            (#"},{"id":"com.example.*""#, "must be explicit, without asterisk"),
            (#","services":[{"id":"com.example.app"}]"#, "services[0].id: client id stands twice: com.example.app"),
            (
                #","services":[{"id":"w","returnURLs":["http://a.example/"]}]"#,
                "services[0].returnURLs[0]: must be https, or http to localhost or 127.0.0.1"
            ),
            (#","notificationURL":"http://a.example/""#, "notificationURL: notification URL must be https"),
            (#","primary":"com.example.other""#, "primary: com.example.app is grouped with com.example.other"),
        ])
    func rule(_ app: String, _ reason: String) throws {
        let error = #expect(throws: EmulatorError.self) { try parse(text(app: app)) }
        #expect(error?.reason.hasPrefix("portal.json, line 3: teams[0].apps[") == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "an organization has a hundred return URLs for each Services ID, an individual ten",
        arguments: [10, 11, 100, 101])
    func returnURLs(count: Int) throws {
        let urls = (0..<count).map { "\"https://a.example/\($0)\"" }.joined(separator: ",")
        let app = #","services":[{"id":"w","returnURLs":[\#(urls)]}]"#
        for (team, limit) in [("", 100), (#","individual":true"#, 10)] {
            if count <= limit {
                #expect(try parse(text(team: team, app: app)).teams[0].apps[0].services[0].returnURLs.count == count)
            } else {
                let error = #expect(throws: EmulatorError.self) { try parse(text(team: team, app: app)) }
                #expect(error?.place == "teams[0].apps[0].services[0].returnURLs")
            }
        }
    }

    @Test(
        "is held, in strict mode, to Apple's exact rules for URLs",
        arguments: [
            ("https://a.example/back", "a.example", nil), ("https://A.example:8443/back", "a.example", nil),
            ("https://b.example/back", "a.example", "returnURLs[0]"),
            ("https://sub.a.example/", "a.example", "returnURLs[0]"),
            ("http://localhost/", "localhost", "returnURLs[0]"), ("https://localhost/", "localhost", "returnURLs[0]"),
            ("https://127.0.0.1/", "127.0.0.1", "returnURLs[0]"),
            ("https://a.example/?x", "a.example", "returnURLs[0]"),
            ("https://a.example", "a.example", "returnURLs[0]"), ("https://a.example./", "a.example.", "returnURLs[0]"),
            ("https://0x7f.0.0.1/", "0x7f.0.0.1", "returnURLs[0]"),
            ("https://a.example/", "a.example\",\"localhost", "domains[1]"),
            ("https://a.example/", "a.example\",\"a.localhost.", "domains[1]"),
            ("https://a.example/", "a.example\",\"a..example", "domains[1]"),
            ("https://a.example/", "a.example\",\"127.1", "domains[1]"),
            ("https://a.example/", "a.example\",\"https://a.example", "domains[1]"),
        ] as [(String, String, String?)])
    func strict(_ url: String, _ domains: String, _ place: String?) throws {
        let app = #","services":[{"id":"com.example.web","domains":["\#(domains)"],"returnURLs":["\#(url)"]}]"#
        guard let place else {
            #expect(try parse(text(app: app), isStrict: true).teams.count == 1)
            return
        }
        let error = #expect(throws: EmulatorError.self) { try parse(text(app: app), isStrict: true) }
        #expect(error?.place == "teams[0].apps[0].services[0].\(place)")
    }

    @Test(
        "is held, in strict mode, to the form of Apple's identifiers",
        arguments: [
            ("TEAM000001", "com.example.app", "KEY0000001", true), ("TEAM1", "com.example.app", "KEY0000001", false),
            ("team000001", "com.example.app", "KEY0000001", false), ("TEAM000001", "app", "KEY0000001", false),
            ("TEAM000001", "com..app", "KEY0000001", false), ("TEAM000001", "com.example.app!", "KEY0000001", false),
            ("TEAM000001", "com.example.app", "KEY", false),
        ])
    func identifiers(_ team: String, _ app: String, _ key: String, isGood: Bool) throws {
        let text = #"{"teams":[{"id":"\#(team)","apps":[{"id":"\#(app)","keys":[{"id":"\#(key)"}]}]}]}"#
        #expect(try parse(text).teams.count == 1)
        if isGood {
            #expect(try parse(text, isStrict: true).teams.count == 1)
        } else {
            #expect(throws: EmulatorError.self) { try parse(text, isStrict: true) }
        }
    }

    @Test(
        "must give each person valid addresses, all different",
        arguments: [
            (#"{"id":"a","email":"not an address"}"#, "people[1].email: must be an email address"),
            (#"{"id":"a","email":"a@b.example\r\nBcc: c@d.example"}"#, "people[1].email: must be an email address"),
            (
                #"{"id":"a","email":"a@b.example","otherEmails":["x@y.example","@"]}"#,
                "people[1].otherEmails[1]: must be"
            ),
            (#"{"id":"a","email":"JOHNNY@example.com"}"#, "people[1].email: is an address that stands twice"),
            (
                #"{"id":"a","email":"a@b.example","otherEmails":["A@b.example"]}"#,
                "people[1].otherEmails[0]: is an address that stands twice"
            ),
            (
                #"{"id":"a","organizationID":"o"},{"id":"b","organizationID":"o","email":"J"}"#,
                "people[2].email: must be"
            ),
        ])
    func addresses(people: String, reason: String) throws {
        let johnny = #"{"id":"johnny","email":"johnny@example.com"}"#
        let error = #expect(throws: EmulatorError.self) { try parse("{\"people\":[\(johnny),\(people)]}") }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "must keep every text within its limit",
        arguments: [
            (#"{"people":[{"id":"\#(long(256))","email":"a@a.example"}]}"#, "people[0].id"),
            (#"{"plainNotificationHosts":["a","\#(long(256))"]}"#, "plainNotificationHosts[1]"),
            (
                #"{"plainNotificationHosts":[\#(Array(repeating: #""a""#, count: 101).joined(separator: ","))]}"#,
                "plainNotificationHosts"
            ),
            (app(#""notificationURL":"https://a.example/\#(long(2_048))""#), "teams[0].apps[0].notificationURL"),
            (
                app(
                    #""services":[{"id":"w","returnURLs":["https://a.example/","https://a.example/\#(long(2_048))"]}]"#),
                "teams[0].apps[0].services[0].returnURLs[1]"
            ),
            (
                app(#""services":[{"id":"w","domains":["\#(long(256))"]}]"#), "teams[0].apps[0].services[0].domains[0]"
            ),
            (
                #"{"teams":[{"id":"T","emailSources":[{"source":"a.example","webServer":"https://\#(long(2_048))"}]}]}"#,
                "teams[0].emailSources[0].webServer"
            ),
        ])
    func bounds(text: String, place: String) throws {
        let error = #expect(throws: EmulatorError.self) { try parse(text) }
        #expect(error?.place == place, "\(error?.reason ?? "")")
    }

    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func app(_ members: String) -> String {
        #"{"teams":[{"id":"T","apps":[{"id":"com.example.app",\#(members)}]}]}"#
    }

    @Test("is named in the error if it is missing")
    func missing() {
        let error = #expect(throws: EmulatorError.self) { try PortalFile.read("/nowhere/portal.json") }
        #expect(error?.description == "invalid_portal: no such file: /nowhere/portal.json")
        let folder = #expect(throws: EmulatorError.self) { try PortalFile.read("/") }
        #expect(folder?.reason == "the portal's file cannot be read: /")
    }

    @Test("an individual has 32 email sources, an organization a hundred", arguments: [(32, true), (33, false)])
    func emailSources(count: Int, isGood: Bool) throws {
        let sources = (0..<count).map { #"{"source":"mail\#($0).example"}"# }.joined(separator: ",")
        let team = #","emailSources":[\#(sources)]"#
        #expect(try parse(text(team: team)).teams[0].emailSources?.count == count)
        let individual = team + #","individual":true"#
        if isGood {
            #expect(try parse(text(team: individual)).teams[0].emailSources?.count == count)
        } else {
            let error = #expect(throws: EmulatorError.self) { try parse(text(team: individual)) }
            #expect(error?.place == "teams[0].emailSources")
        }
    }
}
