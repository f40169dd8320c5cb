import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Mail by control calls")
struct MailCallTests {
    private func send(
        _ emulator: TestEmulator, _ changes: [String: any Sendable] = [:]
    ) async throws -> TestEmulator.Answer {
        var members: [String: any Sendable] = [
            "from": "news@juice.example.com", "to": ["johnny@example.com"], "subject": "Grüße", "text": "one\n.two",
        ]
        members.merge(changes) { _, new in new }
        return try await emulator.call("/emulator/mail", members)
    }

    @Test("a mail is delivered without SMTP, by the rules of the relay")
    func sending() async throws {
        let (emulator, relay) = try await TestEmulator.withRelay()
        let answer = try await send(emulator, ["to": [relay]])
        #expect(answer.text == #"{"accepted":true,"reply":"250 2.0.0 OK"}"#)
        let mail = try await emulator.mail(try await emulator.mails().first?["id"])
        #expect(mail["subject"] as? String == "Grüße")
        #expect(mail["text"] as? String == "one\n.two\n")
        #expect(mail["header"] as? [[String: String]] != nil)

        let refused = try await send(emulator, ["to": [relay], "from": "a@example.org"])
        #expect(refused.text == #"{"accepted":false,"reply":"550 5.1.1 unauthorized sender"}"#)
        let signed = try await send(
            emulator, ["to": [relay], "envelopeFrom": "a@example.org", "dkimDomain": "juice.example.com"])
        #expect(try signed.json["accepted"] as? Bool == true)
        #expect(try await emulator.mails().count == 2)
    }

    @Test(
        "a mail with an invalid value, or one that would break out of its header, is refused",
        arguments: [
            ["from": "nobody"], ["from": "a@b.example\r\nX: 1"], ["to": [String]()], ["to": ["a b@c.example"]],
            ["to": Array(repeating: "a@b.example", count: 101)], ["subject": "a\r\nBcc: x"], ["dkimDomain": "a; d=b"],
            ["html": "<b>"], ["to": "johnny@example.com"],
        ] as [[String: any Sendable]])
    func badCalls(changes: [String: any Sendable]) async throws {
        let answer = try await send(TestEmulator(), changes)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request", "\(answer.text)")
    }

    @Test("mails are listed newest first, read as they came, and deleted one by one or all")
    func reading() async throws {
        let emulator = try await TestEmulator()
        for subject in ["a", "b", "c"] { _ = try await send(emulator, ["subject": subject]) }
        _ = try await send(emulator, ["to": ["mono@example.com"]])
        let mails = try await emulator.mails()
        #expect(mails.map { $0["subject"] as? String } == ["c", "b", "a"])
        let all = try await emulator.get("/emulator/mail").json["mails"] as? [[String: any Sendable]]
        #expect(all?.count == 4)

        let id = try #require(mails[1]["id"] as? String)
        let source = try await emulator.get("/emulator/mail/\(id)/source")
        #expect(source.text.hasPrefix("From: news@juice.example.com\r\n"))
        #expect(source.headers[.contentType] == "message/rfc822")
        #expect(source.headers[.contentDisposition]?.hasPrefix("attachment") == true)

        #expect(try await emulator.call("/emulator/mail/delete", ["id": id]).status == 204)
        #expect(try await emulator.mails().map { $0["subject"] as? String } == ["c", "a"])
        #expect(try await emulator.get("/emulator/mail/\(id)").error == "unknown_mail")
        #expect(try await emulator.call("/emulator/mail/delete", ["id": id]).status == 404)
        #expect(try await emulator.call("/emulator/mail/delete", ["person": "johnny"]).status == 204)
        #expect(try await emulator.mails().isEmpty)
        #expect(try await emulator.mails(of: "mono").count == 1)
        for bad in [["id": id, "person": "johnny"], [:]] {
            #expect(try await emulator.call("/emulator/mail/delete", bad).error == "invalid_request")
        }
        #expect(try await emulator.get("/emulator/mail?person=nobody").error == "unknown_person")
        #expect(try await emulator.call("/emulator/reset", [:]).status == 200)
        #expect(try await emulator.mails(of: "mono").isEmpty)
    }

    @Test("an inbox keeps the newest two hundred mails, and all inboxes share a limit in bytes")
    func capacity() throws {
        let address = try #require(MailAddress("a@b.example"))
        var inboxes = Inboxes()
        func mail(_ id: Int, of person: String, bytes: Int) -> Mail {
            Mail(
                id: "\(id)", person: person, team: nil, sender: nil, recipient: address,
                receivedAt: 0, content: Array(repeating: 0, count: bytes))
        }
        for id in 0..<250 { inboxes.file(mail(id, of: "johnny", bytes: 1)) }
        #expect(inboxes.mails.map(\.id) == (50..<250).map { "\($0)" })
        inboxes.file(mail(250, of: "mono", bytes: Inboxes.maximumBytes - 10))
        #expect(inboxes.mails.count == 11)
        #expect(inboxes["250"] != nil && inboxes["249"] != nil && inboxes["239"] == nil)
        inboxes.removeAll(of: "mono")
        for id in 300..<400 { inboxes.file(mail(id, of: "zoe", bytes: 1)) }
        #expect(inboxes.mails.count == 110)
    }
}
