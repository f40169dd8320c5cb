import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("The portal of a running emulator")
struct PortalChangeTests {
    private let web = "com.example.juice.web"

    private func put(
        _ what: String, _ members: [String: any Sendable], in emulator: TestEmulator
    ) async throws -> TestEmulator.Answer {
        try await emulator.call("/emulator/portal/\(what)", members)
    }

    private func remove(_ what: String, _ id: String, in emulator: TestEmulator) async throws -> TestEmulator.Answer {
        try await emulator.call("/emulator/portal/\(what)/remove", ["id": id])
    }

    @Test("adds a team with all that a sign-in needs, and the sign-in works")
    func grows() async throws {
        let emulator = try await TestEmulator()
        for (what, members) in [
            ("teams", ["id": "TEATEAM003", "name": "Tea Makers"]),
            ("apps", ["team": "TEATEAM003", "id": "com.example.tea", "name": "Tea"]),
            (
                "services",
                ["app": "com.example.tea", "id": "com.example.tea.web", "returnURLs": ["https://tea.example/"]]
            ),
            ("people", ["id": "ada", "email": "ada@example.com", "name": "Ada L"]),
        ] as [(String, [String: any Sendable])] {
            let answer = try await put(what, members, in: emulator)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.json["id"] as? String == members["id"] as? String)
        }
        let key = try await put("keys", ["app": "com.example.tea"], in: emulator).json
        let id = try #require(key["id"] as? String)
        let privateKey = try #require(key["privateKey"] as? String)
        let code = try #require(
            try await emulator.authorize(["person": "ada", "clientID": "com.example.tea.web"])["code"] as? String)
        let secret = try emulator.secret {
            $0.header["kid"] = id
            $0.claims["iss"] = "TEATEAM003"
            $0.claims["sub"] = "com.example.tea.web"
            $0.key = Portal.Key(id: KeyID(id), privateKey: privateKey)
        }
        let answer = try await emulator.redeem(
            code,
            [
                "client_id": "com.example.tea.web", "client_secret": secret, "redirect_uri": "https://tea.example/",
            ])
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("changes an entry's own members, and keeps the entries below it")
    func changes() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await put("teams", ["id": "JUICETEAM1", "name": "New"], in: emulator).status == 200)
        let app = ["team": "JUICETEAM1", "id": "com.example.juice", "name": "Juicier"]
        #expect(try await put("apps", app, in: emulator).status == 200)
        let person = ["id": "johnny", "email": "new@example.com", "name": "John"]
        #expect(try await put("people", person, in: emulator).status == 200)
        let team = emulator.emulator.portal.teams[0]
        #expect(team.name == "New")
        #expect(team.apps.map(\.name) == ["Juicier", "Juice Mini", "Soda"])
        #expect(team.apps[0].services.count == 1)
        #expect(team.apps[0].keys == [TestPortal.key])
        #expect(try await emulator.refresh(token).status == 200)
        #expect(try await ReceivedToken(emulator.authorize()["id_token"], from: emulator)["email"] == "new@example.com")
        #expect(try await emulator.authorize()["user"] == nil, "the consent is the same")
    }

    @Test("removes a Services ID: its tokens end, and the consent of the group stays")
    func service() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let page = try await emulator.get(TestEmulator.authorizePath()).text
        let sheet = try #require(page.firstMatch(of: #/name="request" value="([^"]+)"/#)?.1)
        #expect(try await remove("services", web, in: emulator).status == 204)
        #expect(try await emulator.refresh(token).error == "invalid_grant", "the token is looked up before the client")
        let open = try await emulator.get("/auth/authorize/sheet?request=\(sheet)&person=johnny")
        #expect(open.status == 400)
        let service =
            [
                "app": "com.example.juice", "id": web, "returnURLs": [TestEmulator.callback],
            ] as [String: any Sendable]
        #expect(try await put("services", service, in: emulator).status == 200)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        #expect(try await emulator.authorize()["user"] == nil)
    }

    @Test("removes an app, with its clients, keys and consents", arguments: ["apps", "teams"])
    func app(_ what: String) async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        _ = try await emulator.authorize()
        #expect(try await remove("apps", "com.example.juice", in: emulator).error == "grouped_app")
        #expect(try await remove("apps", "com.example.juice.mini", in: emulator).status == 204)
        let id = what == "apps" ? "com.example.juice" : "JUICETEAM1"
        #expect(try await remove(what, id, in: emulator).status == 204)
        #expect(try await emulator.get("/emulator/grants").text == #"{"grants":[]}"#)
        #expect(try await emulator.order(["person": "johnny", "clientID": web]).error == "invalid_client")
        #expect(try await emulator.notifications.isEmpty, "nobody is told")
        #expect(emulator.emulator.portal.teams.count == (what == "apps" ? 2 : 1))
    }

    @Test("removes a key: what it signs is refused from then on")
    func key() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await remove("keys", "KEYJUICE01", in: emulator).status == 204)
        #expect(try await emulator.refresh(token).error == "invalid_client")
        let key = ["app": "com.example.juice", "id": "KEYJUICE01", "privateKey": TestPortal.key.privateKey]
        #expect(try await put("keys", key, in: emulator).status == 200)
        #expect(try await emulator.refresh(token).status == 200)
    }

    @Test("removes a person, without a notification to apps")
    func person() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await remove("people", "johnny", in: emulator).status == 204)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        #expect(try await emulator.order(["person": "johnny", "clientID": web]).error == "unknown_person")
        #expect(try await emulator.notifications.isEmpty)
    }

    @Test("drops the consents of an App ID that joins a group")
    func grouping() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["clientID": "com.example.soda", "native": true])
        _ = try await emulator.authorize()
        let soda = ["team": "JUICETEAM1", "id": "com.example.soda", "name": "Soda", "primary": "com.example.juice"]
        #expect(try await put("apps", soda, in: emulator).error == "invalid_request", "it has a key")
        #expect(try await remove("keys", "KEYSODA001", in: emulator).status == 204)
        #expect(try await put("apps", soda, in: emulator).status == 200)
        let grants = try await emulator.get("/emulator/grants").json["grants"] as? [[String: any Sendable]]
        #expect(grants?.map { $0["app"] as? String } == ["com.example.juice"])
        let native = try await emulator.authorize(["clientID": "com.example.soda", "native": true])
        #expect(native["user"] == nil, "the group's consent is there")
    }

    @Test(
        "refuses what Apple's portal refuses, and changes nothing then",
        arguments: [
            ("apps", ["team": "JUICETEAM1", "id": "com.example.*"], "id: must be explicit, without asterisk"),
            ("apps", ["team": "CIDERTEAM2", "id": "com.example.juice"], "Transfer"),
            ("apps", ["team": "NOTEAM0000", "id": "com.example.x"], "no such team"),
            ("apps", ["id": "com.example.x"], "team is missing"),
            ("apps", ["team": "JUICETEAM1", "id": "com.example.juice.web"], "id: client id stands twice"),
            ("services", ["app": "com.example.nothing", "id": "w"], "no such app"),
            (
                "services", ["app": "com.example.juice.mini", "id": "w"],
                "teams[0].apps[1].services: com.example.juice.mini is not primary"
            ),
            (
                "services", ["app": "com.example.juice", "id": "w", "returnURLs": ["http://a.example/"]],
                "returnURLs[0]: must be https"
            ),
            ("services", ["app": "com.example.juice", "id": "w", "colour": "red"], "colour is not a member"),
            ("keys", ["app": "com.example.juice", "privateKey": "x"], "privateKey: key "),
            ("keys", ["app": "com.example.juice", "id": "KEYSODA001"], "stands twice"),
            ("people", ["id": "a b", "email": "a@example.com"], "people[3].id: person id must be printable ASCII"),
            ("people", ["id": "a"], "people[3].email: a has no email"),
            ("people", ["id": "a", "email": "nothing"], "email: must be an email address"),
            ("people", ["id": "a", "email": "JOHNNY@example.com"], "email: is an address that stands twice"),
            ("teams", ["id": "T", "apps": [["id": "a.b"]]], "calls of its own"),
            ("teams/remove", ["id": "T"], "no such team"), ("people/remove", ["id": "T"], "no such person"),
            ("keys/remove", ["id": "T"], "no such key"), ("services/remove", ["id": "T"], "no such service"),
            ("apps/remove", ["id": "T"], "no such app"),
        ] as [(String, [String: any Sendable], String)])
    func refused(_ what: String, _ members: [String: any Sendable], _ reason: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await put(what, members, in: emulator)
        #expect((400..<500).contains(answer.status))
        #expect(try #require(try answer.json["message"] as? String).contains(reason), "\(answer.text)")
        #expect(emulator.emulator.portal == TestPortal.portal)
    }

    @Test("has at most two keys for each primary App ID")
    func keys() async throws {
        let emulator = try await TestEmulator()
        #expect(try await put("keys", ["app": "com.example.juice"], in: emulator).status == 200)
        let third = try await put("keys", ["app": "com.example.juice"], in: emulator)
        #expect(third.status == 400)
        #expect(emulator.emulator.portal.teams[0].apps[0].keys.count == 2)
    }

    @Test("refuses, in strict mode, URLs that Apple refuses")
    func strict() async throws {
        let emulator = try await TestEmulator { $0.strictURLs = true }
        var service =
            ["app": "com.example.juice", "id": "com.example.new", "returnURLs": ["https://new.example/"]]
            as [String: any Sendable]
        #expect(try await put("services", service, in: emulator).status == 400)
        service["domains"] = ["new.example"]
        #expect(try await put("services", service, in: emulator).status == 200)
        let bad = "https://a.localhost./apple"
        service["returnURLs"] = [bad]
        #expect(try await put("services", service, in: emulator).status == 400)
        let address = try await emulator.call(
            "/emulator/notifications/address", ["clientID": "com.example.juice", "url": bad])
        #expect(address.status == 400)
        #expect(try #require(try address.json["message"] as? String).contains("notificationURL: must be https"))
    }
}
