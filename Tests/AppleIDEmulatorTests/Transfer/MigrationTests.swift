import AppleIDTypes
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Migration between teams")
struct MigrationTests {
    private static let soda = "com.example.soda"
    private static let day: Int64 = 86_400

    /// Soda's team and key at the start.
    private static let sender = Side(team: "JUICETEAM1", key: TestPortal.otherGroupKey)

    /// A team that has, or had, the app Soda.
    private struct Side {
        let team: String
        let key: Portal.Key

        func secret(_ emulator: TestEmulator, at now: Int64 = TestEmulator.start) throws -> String {
            try emulator.secret {
                $0.header["kid"] = key.id.rawValue
                $0.key = key
                $0.claims["iss"] = team
                $0.claims["sub"] = soda
                $0.claims["iat"] = now - 30
                $0.claims["exp"] = now + 300
            }
        }

        func token(_ emulator: TestEmulator, at now: Int64 = TestEmulator.start) async throws -> TestEmulator.Answer {
            try await emulator.redeem(
                "",
                [
                    "grant_type": "client_credentials", "scope": "user.migration", "code": nil, "redirect_uri": nil,
                    "client_id": soda, "client_secret": try secret(emulator, at: now),
                ])
        }

        /// The whole call, with a token of its own unless told otherwise; a nil value takes a field away.
        func migrate(
            _ emulator: TestEmulator, _ fields: [String: String?], token: String? = nil,
            at now: Int64 = TestEmulator.start
        ) async throws -> TestEmulator.Answer {
            var form = ["client_id": soda, "client_secret": try secret(emulator, at: now)]
            for (name, value) in fields { form[name] = value }
            let own = token == nil ? try await self.token(emulator, at: now).json["access_token"] as? String : nil
            return try await emulator.send(
                .post, "/auth/usermigrationinfo",
                headers: [
                    "content-type": "application/x-www-form-urlencoded",
                    "authorization": "Bearer \(token ?? own ?? "")",
                ],
                body: Array(TestEmulator.encoded(form.sorted { $0.key < $1.key }).utf8))
        }
    }

    @Test("people of before the transfer get a transfer subject, and later people don't, even in the same second")
    func sameSecond() async throws {
        let emulator = try await TestEmulator()
        #expect(try await signIn(emulator)["transfer_sub"] == nil)
        let order = ["clientID": Self.soda, "team": "CIDERTEAM2"]
        #expect(try await emulator.call("/emulator/transfers", order).status == 200)
        let mono = try await emulator.authorize(["person": "mono", "clientID": Self.soda, "native": true])
        #expect(try await ReceivedToken(mono["id_token"], from: emulator)["transfer_sub"] == nil)
        #expect(try await signIn(emulator)["transfer_sub"] != nil)
        // The same after a snapshot has been taken and loaded.
        let snapshot = try await emulator.get("/emulator/snapshot").text
        let load = try await emulator.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"], body: Array(snapshot.utf8))
        #expect(load.status == 204)
        let again = try await emulator.authorize(["person": "mono", "clientID": Self.soda, "native": true])
        #expect(try await ReceivedToken(again["id_token"], from: emulator)["transfer_sub"] == nil)
        #expect(try await signIn(emulator)["transfer_sub"] != nil)
    }

    private func signIn(_ emulator: TestEmulator, hideEmail: Bool = true) async throws -> ReceivedToken {
        let answer = try await emulator.authorize(["clientID": Self.soda, "native": true, "hideEmail": hideEmail])
        return try await ReceivedToken(answer["id_token"], from: emulator)
    }

    /// Moves Soda to the other team, and gives that team's side with the app's new key.
    private func transfer(_ emulator: TestEmulator) async throws -> Side {
        let answer = try await emulator.call("/emulator/transfers", ["clientID": Self.soda, "team": "CIDERTEAM2"])
        #expect(answer.status == 200, "\(answer.text)")
        let app = emulator.emulator.portal.teams[1].apps.first { $0.id.rawValue == Self.soda }
        return Side(team: "CIDERTEAM2", key: try #require(app?.keys.first))
    }

    @Test("the sender's transfer subject gives the recipient a new subject and a new relay address")
    func roundTrip() async throws {
        let emulator = try await TestEmulator()
        let before = try await signIn(emulator)
        let fields = ["sub": before["sub"], "target": "CIDERTEAM2"]
        let early = try await Self.sender.migrate(emulator, fields)
        #expect(early.status == 200)
        #expect(Set(try early.json.keys) == ["transfer_sub"])
        let transferSubject = try #require(early.json["transfer_sub"] as? String)
        #expect(transferSubject.wholeMatch(of: /\d{6}\.[0-9a-f]{32}\.\d{4}/) != nil)

        let recipient = try await transfer(emulator)
        #expect(try await Self.sender.migrate(emulator, fields).text == early.text, "also after it was accepted")
        let answer = try await recipient.migrate(emulator, ["transfer_sub": transferSubject])
        #expect(answer.status == 200)
        let json = try answer.json
        #expect(Set(json.keys) == ["sub", "email", "is_private_email"])
        #expect(json["is_private_email"] as? Bool == true)

        let after = try await signIn(emulator)
        #expect(after["sub"] == json["sub"] as? String)
        #expect(after["email"] == json["email"] as? String)
        #expect(after["transfer_sub"] == transferSubject)
        #expect(Set([before["sub"], after["sub"], transferSubject]).count == 3)
        #expect(before["email"] != after["email"])
        #expect(before["transfer_sub"] == nil)
    }

    @Test("a person who shares their own address has none in the answer, and their own access token works")
    func sharedAddress() async throws {
        let emulator = try await TestEmulator()
        let subject = try await signIn(emulator, hideEmail: false)["sub"]
        let answer = try await Self.sender.migrate(emulator, ["sub": subject, "target": "CIDERTEAM2"])
        let recipient = try await transfer(emulator)
        let code = try await emulator.authorize(["clientID": Self.soda, "native": true])["code"] as? String
        let tokens = try await emulator.redeem(
            try #require(code),
            ["client_id": Self.soda, "client_secret": try recipient.secret(emulator), "redirect_uri": nil])
        let theirs = try await recipient.migrate(
            emulator, ["transfer_sub": answer.json["transfer_sub"] as? String],
            token: try #require(tokens.json["access_token"] as? String))
        #expect(Set(try theirs.json.keys) == ["sub"])
    }

    @Test("both sides have sixty days, and tokens carry the transfer subject as long")
    func window() async throws {
        let emulator = try await TestEmulator()
        let subject = try await signIn(emulator)["sub"]
        let fields = ["sub": subject, "target": "CIDERTEAM2"]
        let transferSubject = try await Self.sender.migrate(emulator, fields).json["transfer_sub"] as? String
        let recipient = try await transfer(emulator)
        for (seconds, isOpen) in [(60 * Self.day, true), (60 * Self.day + 1, false)] {
            let now = TestEmulator.start + seconds
            emulator.clock.advance(isOpen ? seconds : 1)
            let sent = try await Self.sender.migrate(emulator, fields, at: now)
            let received = try await recipient.migrate(emulator, ["transfer_sub": transferSubject], at: now)
            #expect(sent.error == (isOpen ? nil : "invalid_request"))
            #expect(received.error == (isOpen ? nil : "invalid_request"))
            #expect(try await signIn(emulator)["transfer_sub"] == (isOpen ? transferSubject : nil))
        }
    }

    @Test("a person who comes after the transfer has no transfer subject")
    func newcomers() async throws {
        let emulator = try await TestEmulator()
        _ = try await transfer(emulator)
        emulator.clock.advance(1)
        #expect(try await signIn(emulator)["transfer_sub"] == nil)
    }

    @Test("a person who stopped using the app is unknown to both sides")
    func revoked() async throws {
        let emulator = try await TestEmulator()
        let fields = ["sub": try await signIn(emulator)["sub"], "target": "CIDERTEAM2"]
        let transferSubject = try await Self.sender.migrate(emulator, fields).json["transfer_sub"] as? String
        let recipient = try await transfer(emulator)
        let person = ["person": "johnny", "clientID": Self.soda]
        #expect(try await emulator.call("/emulator/grants/stop-using", person).status == 204)
        #expect(try await Self.sender.migrate(emulator, fields).error == "invalid_request")
        let theirs = try await recipient.migrate(emulator, ["transfer_sub": transferSubject])
        #expect(theirs.error == "invalid_request")
    }

    @Test("the sender's key works for the migration only")
    func formerKey() async throws {
        let emulator = try await TestEmulator()
        _ = try await signIn(emulator)
        _ = try await transfer(emulator)
        let code = try #require(
            try await emulator.authorize(["clientID": Self.soda, "native": true])["code"] as? String)
        let changes: [String: String?] = [
            "client_id": Self.soda, "client_secret": try Self.sender.secret(emulator), "redirect_uri": nil,
        ]
        #expect(try await emulator.redeem(code, changes).error == "invalid_client")
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(try await emulator.revoke(token, changes).error == "invalid_client")
        #expect(try await Self.sender.token(emulator).status == 200)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let changes: [String: String?]
        var error = "invalid_request"
        var testDescription: String { name }
    }

    @Test(
        "a bad request is refused with Apple's word and status",
        arguments: [
            Case(name: "neither", changes: ["sub": nil, "target": nil]),
            Case(name: "no target", changes: ["target": nil]),
            Case(name: "no subject", changes: ["sub": nil]),
            Case(name: "both sides at once", changes: ["transfer_sub": "x"]),
            Case(name: "no team as target", changes: ["target": "NOTEAM0000"]),
            Case(name: "nobody", changes: ["sub": "000000.0.0000"]),
            Case(name: "no transfer to receive", changes: ["sub": nil, "target": nil, "transfer_sub": "x"]),
            Case(name: "no client", changes: ["client_id": nil], error: "invalid_client"),
            Case(name: "no secret", changes: ["client_secret": nil], error: "invalid_client"),
            Case(name: "bad secret", changes: ["client_secret": "a.b.c"], error: "invalid_client"),
        ])
    func refused(_ example: Case) async throws {
        let emulator = try await TestEmulator()
        var fields: [String: String?] = ["sub": try await signIn(emulator)["sub"], "target": "CIDERTEAM2"]
        fields.merge(example.changes) { $1 }
        let answer = try await Self.sender.migrate(emulator, fields)
        #expect(answer.status == 400)
        #expect(answer.error == example.error, "\(answer.text)")
        #expect(try answer.json["error_description"] is String == (example.error != "invalid_client"))
    }

    @Test("a transfer subject for one's own team is useless to a recipient, or is refused")
    func ownTeam() async throws {
        for isRefused in [false, true] {
            let emulator = try await TestEmulator { if isRefused { $0.behaviour.ownTeamTarget = .invalidRequest } }
            let subject = try await signIn(emulator)["sub"]
            let fields = ["sub": subject, "target": Self.sender.team]
            let before = try await Self.sender.migrate(emulator, fields)
            #expect(before.error == (isRefused ? "invalid_request" : nil))
            let recipient = try await transfer(emulator)
            let after = try await Self.sender.migrate(emulator, fields)
            #expect(after.text == before.text)
            guard !isRefused else { continue }
            let useless = try #require(before.json["transfer_sub"] as? String)
            #expect(useless.wholeMatch(of: /\d{6}\.[0-9a-f]{32}\.\d{4}/) != nil)
            let good = try await Self.sender.migrate(emulator, ["sub": subject, "target": recipient.team])
            #expect(try good.json["transfer_sub"] as? String != useless)
            #expect(try await recipient.migrate(emulator, ["transfer_sub": useless]).error == "invalid_request")
        }
    }

    @Test("the access token must be valid, and belong to the client and team")
    func accessToken() async throws {
        let emulator = try await TestEmulator()
        let fields = ["sub": try await signIn(emulator)["sub"], "target": "CIDERTEAM2"]
        let other = try #require(try await emulator.tokens()["access_token"] as? String)
        for token in ["", "garbage", other] {
            #expect(try await Self.sender.migrate(emulator, fields, token: token).error == "invalid_request")
        }
        let own = try #require(try await Self.sender.token(emulator).json["access_token"] as? String)
        #expect(try await Self.sender.migrate(emulator, fields, token: own).status == 200)
        let recipient = try await transfer(emulator)
        let theirs = try await recipient.migrate(emulator, ["transfer_sub": "x"], token: own)
        #expect(try #require(theirs.json["error_description"] as? String).contains("access token"))
        emulator.clock.advance(3_601)
        let late = try await Self.sender.migrate(emulator, fields, token: own, at: TestEmulator.start + 3_601)
        #expect(late.error == "invalid_request")
    }
}
