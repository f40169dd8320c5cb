import Foundation
import Testing

@testable import AppleIDEmulator

/// A sender in conversation with an emulator's mail server, without a network.
struct TestSender {
    /// Registered, verified, and what ``message(_:from:)`` writes in `From`.
    static let address = "news@juice.example.com"

    let emulator: TestEmulator
    var session: SMTPSession
    private(set) var isClosed = false

    init(_ emulator: TestEmulator, limits: RelayLimits = RelayLimits()) {
        self.emulator = emulator
        session = SMTPSession(limits: limits)
    }

    /// Says lines, each with its ending, and answers what came back.
    @discardableResult
    mutating func say(_ lines: String...) -> [String] { send(lines.map { $0 + "\r\n" }.joined()) }

    /// Sends as is.
    @discardableResult
    mutating func send(_ text: String) -> [String] { send(Array(text.utf8)) }

    @discardableResult
    mutating func send(_ bytes: [UInt8]) -> [String] {
        session.append(bytes)
        var replies: [String] = []
        while !isClosed, let action = session.next() {
            let (reply, isLast) = emulator.emulator.core.perform(action, in: &session)
            replies += reply.text.split(separator: "\r\n").map(String.init)
            isClosed = isLast
        }
        return replies
    }

    /// A whole mail by its shortest way; answers what was said last.
    mutating func mail(
        from sender: String = address, to recipients: [String], _ message: String = Self.message("Hello")
    ) -> String? {
        if let refusal = say("EHLO test", "MAIL FROM:<\(sender)>").last(where: { !$0.hasPrefix("250") }) {
            return refusal
        }
        for recipient in recipients {
            if let refusal = say("RCPT TO:<\(recipient)>").last, !refusal.hasPrefix("250") {
                say("RSET")
                return refusal
            }
        }
        say("DATA")
        return send(message + "\r\n.\r\n").last
    }

    static func message(_ text: String, from author: String = address, _ fields: String...) -> String {
        (["From: Juice <\(author)>", "Subject: Fresh"] + fields + ["", text]).joined(separator: "\r\n")
    }
}

extension TestEmulator {
    /// One whose first team has a verified source, and the relay address under which it knows Johnny.
    static func withRelay(
        _ sources: [Portal.EmailSource] = [Portal.EmailSource(source: "juice.example.com", verified: true)],
        configure: (inout EmulatorConfiguration) -> Void = { _ in }
    ) async throws -> (TestEmulator, relay: String) {
        var portal = TestPortal.portal
        portal.teams[0].emailSources = sources
        let emulator = try await TestEmulator(portal: portal, configure: configure)
        return (emulator, try await emulator.relayAddress())
    }

    /// Signs somebody in who hides the address, and answers the one that the app gets.
    func relayAddress(_ changes: [String: any Sendable] = [:]) async throws -> String {
        let members = changes.merging(["hideEmail": true]) { given, _ in given }
        let token = try await ReceivedToken(try await authorize(members)["id_token"], from: self)
        return try #require(token["email"])
    }

    /// Newest first.
    func mails(of person: String = "johnny") async throws -> [[String: any Sendable]] {
        let answer = try await get("/emulator/mail?person=\(person)")
        return try #require(try answer.json["mails"] as? [[String: any Sendable]], "\(answer.text)")
    }

    func mail(_ id: (any Sendable)?) async throws -> [String: any Sendable] {
        try await get("/emulator/mail/\(try #require(id as? String))").json
    }
}
