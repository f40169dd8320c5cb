import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The rules of the relay")
struct SenderRulesTests {
    static let unauthorized = "550 5.1.1 unauthorized sender"

    @Test("mail from a registered sender reaches the person's inbox")
    func accepted() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [relay]) == "250 2.0.0 OK")
        let mails = try await emulator.mails()
        #expect(mails.count == 1)
        let mail = try await emulator.mail(mails.first?["id"])
        #expect(mail["person"] as? String == "johnny")
        #expect(mail["team"] as? String == "JUICETEAM1")
        #expect(mail["envelopeFrom"] as? String == "news@juice.example.com")
        #expect(mail["envelopeTo"] as? String == relay)
        #expect(mail["from"] as? String == "Juice <news@juice.example.com>")
        #expect(mail["subject"] as? String == "Fresh")
        #expect(mail["text"] as? String == "Hello\n")
        #expect(mail["receivedAt"] as? Int == Int(TestEmulator.start))
    }

    @Test(
        "SPF is checked for the exact envelope sender",
        arguments: [
            ("news@juice.example.com", nil), ("NEWS@Juice.Example.Com", nil),
            ("news@mail.juice.example.com", unauthorized), ("news@example.com", unauthorized),
            ("soda@single.example.com", nil), ("other@single.example.com", unauthorized),
            ("a@new.example.com", unauthorized), ("a@nospf.example.com", unauthorized), ("", unauthorized),
        ] as [(String, String?)])
    func spf(envelope: String, refusal: String?) async throws {
        let (emulator, relay) = try await TestEmulator.withRelay(Self.sources)
        var sender = TestSender(emulator)
        let reply = sender.mail(from: envelope, to: [relay], TestSender.message("x", from: "somebody@example.org"))
        #expect(reply == refusal ?? "250 2.0.0 OK")
        #expect(try await emulator.mails().count == (refusal == nil ? 1 : 0))
    }

    @Test(
        "DKIM is checked for the author's own domain",
        arguments: [
            ("a@nospf.example.com", "nospf.example.com", nil), ("a@nospf.example.com", "NOSPF.example.com", nil),
            ("a@nospf.example.com", "mail.nospf.example.com", unauthorized),
            ("a@nospf.example.com", "example.org", unauthorized),
            ("a@nodkim.example.com", "nodkim.example.com", unauthorized),
            ("a@new.example.com", "new.example.com", unauthorized), ("a@example.org", "example.org", unauthorized),
        ] as [(String, String, String?)])
    func dkim(author: String, domain: String, refusal: String?) async throws {
        let (emulator, relay) = try await TestEmulator.withRelay(Self.sources)
        var sender = TestSender(emulator)
        let signature = "DKIM-Signature: v=1; a=rsa-sha256;\r\n d = \(domain) ; s=one; bh=; b="
        let reply = sender.mail(
            from: "bounces@elsewhere.example", to: [relay], TestSender.message("x", from: author, signature))
        #expect(reply == refusal ?? "250 2.0.0 OK")
    }

    private static let sources = [
        Portal.EmailSource(source: "juice.example.com", verified: true),
        Portal.EmailSource(source: "soda@single.example.com", verified: true),
        Portal.EmailSource(source: "new.example.com"),
        Portal.EmailSource(source: "nospf.example.com", spf: EmailCheck.none, verified: true),
        Portal.EmailSource(source: "nodkim.example.com", spf: .fail, dkim: .fail, verified: true),
    ]

    @Test(
        "a message without exactly one author address is refused",
        arguments: [
            "Subject: x\r\n\r\nx", "From: a@juice.example.com, b@juice.example.com\r\n\r\nx", "From: x\r\n\r\nx",
        ])
    func author(message: String) async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [relay], message) == "554 5.6.0 the message needs one From with one address")
    }

    @Test("the sources of one team don't work for the addresses of another")
    func teams() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        let cider = try await emulator.relayAddress(["clientID": "org.example.cider.web"])
        #expect(cider != relay)
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [cider]) == Self.unauthorized)
        #expect(sender.mail(to: [relay, cider]) == Self.unauthorized)
        #expect(try await emulator.mails().isEmpty)
    }

    @Test("mail to an unknown relay address, or to a former one, is refused as a bad mailbox name")
    func badMailbox() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        let bad = "550 5.1.1 bad mailbox name"
        var sender = TestSender(emulator)
        #expect(sender.mail(to: ["nobody@privaterelay.appleid.com"]) == bad)
        _ = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        #expect(sender.mail(to: [relay]) == bad)
        // With consent comes the same address again.
        #expect(try await emulator.relayAddress() == relay)
        #expect(sender.mail(to: [relay]) == "250 2.0.0 OK")
        _ = try await emulator.call("/emulator/people/delete", ["person": "johnny"])
        #expect(sender.mail(to: [relay]) == bad)
    }

    @Test("mail is refused while forwarding is off, for every app of the team")
    func forwarding() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        for (isOn, reply) in [(false, "550 5.1.1 bad mailbox name"), (true, "250 2.0.0 OK")] {
            let call = try await emulator.call(
                "/emulator/grants/forwarding",
                ["person": "johnny", "clientID": "com.example.juice", "forwarding": isOn])
            #expect(call.status == 204)
            #expect(sender.mail(to: [relay]) == reply)
        }
    }

    @Test("when the app goes to another team, the old address ends with the last app, and the new one works")
    func transfer() async throws {
        let (emulator, _) = try await TestEmulator.withRelay()
        let old = try await emulator.relayAddress(["person": "mono", "clientID": "com.example.soda", "native": true])
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [old]) == "250 2.0.0 OK")
        _ = try await emulator.call("/emulator/transfers", ["clientID": "com.example.soda", "team": "CIDERTEAM2"])
        #expect(sender.mail(to: [old]) == "550 5.1.1 bad mailbox name")
        let new = try await emulator.relayAddress(["person": "mono", "clientID": "com.example.soda", "native": true])
        #expect(sender.mail(to: [new]) == Self.unauthorized)
        let source: [String: any Sendable] = ["team": "CIDERTEAM2", "source": "juice.example.com", "verified": true]
        #expect(try await emulator.call("/emulator/email-sources", source).status == 200)
        #expect(sender.mail(to: [new]) == "250 2.0.0 OK")
    }

    @Test("an address gets a hundred mails a day")
    func dailyCap() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        let other = try await emulator.relayAddress(["person": "mono"])
        for _ in 1...10 {
            var sender = TestSender(emulator)
            for _ in 1...10 { #expect(sender.mail(to: [relay]) == "250 2.0.0 OK") }
        }
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [relay]) == "450 4.2.1 this address has had its 100 mails of the day")
        #expect(sender.mail(to: [other]) == "250 2.0.0 OK")
        emulator.clock.advance(86_400)
        #expect(sender.mail(to: [relay]) == "250 2.0.0 OK")
    }

    @Test("with the relay's quirk, every mail is refused with a transformation error")
    func transformationError() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay { $0.behaviour.relayFailsTransformation = true }
        var sender = TestSender(emulator)
        #expect(sender.mail(to: [relay]) == "550 5.7.1 transformation error")
        #expect(sender.mail(to: ["mono@example.com"]) == "250 2.0.0 OK")
    }

    @Test("mail to people's own addresses is accepted from anybody, and mail to any other address is refused")
    func otherAddresses() async throws {
        let (emulator, _) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        #expect(sender.mail(from: "a@example.org", to: ["Mono@Example.com"], "Subject: y\r\n\r\ny") == "250 2.0.0 OK")
        let mail = try #require(try await emulator.mails(of: "mono").first)
        #expect(mail["team"] == nil)
        #expect(mail["subject"] as? String == "y")
        for address in ["a@example.org", "johnny@example.org", "postmaster@privaterelay.example"] {
            #expect(sender.mail(to: [address]) == "550 5.7.1 relaying denied: nobody here has this address")
        }
    }

    @Test("an emulator that takes mail for others keeps mail to any address, and checks relay addresses as before")
    func othersAreTaken() async throws {
        let (emulator, _) = try await TestEmulator.withRelay { $0.takesMailForOthers = true }
        var sender = TestSender(emulator)
        #expect(
            sender.mail(from: "a@b.example", to: ["me@example.org", "ME@example.org", "you@example.org"])
                == "250 2.0.0 OK")
        #expect(sender.mail(to: ["mono@example.com"]) == "250 2.0.0 OK")
        #expect(
            sender.mail(to: ["nobody@privaterelay.appleid.com"])?.hasPrefix("550 5.1.1 bad mailbox name") == true)
        let all = try await emulator.get("/emulator/mail").json["mails"] as? [[String: any Sendable]]
        let others = try #require(all).filter { $0["person"] == nil }
        #expect(Set(others.map { $0["envelopeTo"] as? String }) == ["me@example.org", "you@example.org"])
        #expect(all?.count == 3)

        let page = try await emulator.get("/mail/others")
        #expect(page.status == 200 && page.text.contains("me@example.org") && page.text.contains("you@example.org"))
        #expect(try await emulator.get("/mail").text.contains("2 mails"))
        let id = try #require(others.first?["id"] as? String)
        #expect(try await emulator.get("/mail/read?id=\(id)").text.contains("/mail/others"))
        #expect(try await emulator.post("/mail/others/delete", form: []).status == 303)
        #expect(try await emulator.get("/mail/others").text.contains("There is no mail."))
        #expect(try await emulator.mails(of: "mono").count == 1)

        #expect(try await emulator.call("/emulator/reset", [:]).status == 200)
        #expect(sender.mail(to: ["me@example.org"]) == "250 2.0.0 OK")
    }

    @Test("an emulator that takes no mail for others has no page for it")
    func noOthers() async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.get("/mail/others").status == 404)
        #expect(!(try await emulator.get("/mail").text.contains("/mail/others")))
    }

    @Test("mail to several people is stored for each, and mail to two spellings of one address once")
    func severalRecipients() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        let capitals = relay.uppercased()
        #expect(sender.mail(to: [relay, capitals, "mono@example.com"]) == "250 2.0.0 OK")
        #expect(try await emulator.mails().count == 1)
        #expect(try await emulator.mails(of: "mono").count == 1)
    }
}

/// `.none` alone would be the absent value.
private typealias EmailCheck = Portal.EmailSource.Check
