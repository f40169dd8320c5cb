public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the mail of a person, or of everybody for nil, the newest first.
    /// - Throws: ``ControlRefused`` for an unknown person.
    public func mails(of person: String? = nil) async throws -> [TestMailSummary] {
        let query = person.map { "?person=\(Self.escaped($0))" } ?? ""
        return try await controlled(.get, "/emulator/mail" + query, as: MailList.self).mails
    }

    /// Returns a mail with its text and links.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func mail(_ id: String) async throws -> TestMail {
        try await controlled(.get, "/emulator/mail/\(id)")
    }

    /// Returns a mail byte for byte.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func mailSource(_ id: String) async throws -> [UInt8] {
        try await control(.get, "/emulator/mail/\(id)/source")
    }

    /// Sends a mail without SMTP, as a team's mail server would. Apple's relay decides about it.
    /// - Parameters:
    ///   - sender: the address in `From`, of a registered email source if the recipient is a relay address.
    ///   - recipients: relay addresses, or people's own ones.
    /// - Returns: whether the relay took the mail, and its reply in the words of SMTP.
    public func sendMail(
        from sender: String, to recipients: [String], subject: String = "", text: String = ""
    ) async throws -> TestMailReply {
        try await controlled(
            .post, "/emulator/mail",
            [
                "from": Member(text: sender), "to": Member(texts: recipients), "subject": Member(text: subject),
                "text": Member(text: text),
            ])
    }

    /// Deletes a mail.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func deleteMail(_ id: String) async throws {
        try await control(.post, "/emulator/mail/delete", ["id": Member(text: id)])
    }

    /// Deletes all mail of a person.
    /// - Throws: ``ControlRefused`` for an unknown person.
    public func deleteMails(of person: String) async throws {
        try await control(.post, "/emulator/mail/delete", ["person": Member(text: person)])
    }

    private struct MailList: Decodable {
        let mails: [TestMailSummary]
    }

    private static func escaped(_ text: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the domains and addresses from which teams may send mail to relay addresses.
    public func emailSources() async throws -> [TestEmailSource] {
        try await controlled(
            .get, "/emulator/email-sources", as: [String: [TestEmailSource]].self)["emailSources"] ?? []
    }

    /// Registers an email source of a team.
    /// - Throws: ``ControlRefused``.
    @discardableResult
    public func register(_ source: Portal.EmailSource, for team: TeamID) async throws -> TestEmailSource {
        try await controlled(
            .post, "/emulator/email-sources",
            [
                "team": Member(text: team.rawValue), "source": Member(text: source.source),
                "spf": Member(text: source.spf?.rawValue), "dkim": Member(text: source.dkim?.rawValue),
                "webServer": Member(text: source.webServer), "verified": Member(flag: source.verified),
            ])
    }

    /// Does the verify step of an email source, which looks for the association file.
    /// - Throws: ``ControlRefused`` for an unknown source.
    @discardableResult
    public func verify(emailSource source: String, of team: TeamID) async throws -> TestEmailSource {
        try await controlled(
            .post, "/emulator/email-sources/verify",
            ["team": Member(text: team.rawValue), "source": Member(text: source)])
    }

    /// Removes an email source of a team.
    /// - Throws: ``ControlRefused`` for an unknown source.
    public func remove(emailSource source: String, of team: TeamID) async throws {
        try await control(
            .post, "/emulator/email-sources/remove",
            ["team": Member(text: team.rawValue), "source": Member(text: source)])
    }
}

/// A mail in the list of the emulator.
public struct TestMailSummary: Hashable, Sendable, Decodable {
    /// The mail's identifier.
    public let id: String
    /// The person who got it; nil for an address that nobody here has.
    public let person: String?
    /// The team that sent it, if it is known.
    public let team: TeamID?
    /// The recipient in the words of SMTP.
    public let envelopeTo: String
    /// The address in `From`.
    public let from: String?
    /// The text in `Subject`; nil for a mail without it.
    public let subject: String?
}

/// A mail with its text.
public struct TestMail: Hashable, Sendable, Decodable {
    /// The mail's identifier.
    public let id: String
    /// The person who got it; nil for an address that nobody here has.
    public let person: String?
    /// The recipient in the words of SMTP.
    public let envelopeTo: String
    /// The address in `From`.
    public let from: String?
    /// The text in `Subject`; nil for a mail without it.
    public let subject: String?
    /// The plain text.
    public let text: String?
    /// The part in HTML; nil for a mail that has none.
    public let html: String?
    /// The links in text and HTML, in their order.
    public let links: [String]
}

/// The reply of the emulator's mail server to a mail.
public struct TestMailReply: Hashable, Sendable, Decodable {
    /// Whether it took the mail.
    public let accepted: Bool
    /// The reply in the words of SMTP.
    public let reply: String
}

/// A domain or an address from which a team may send mail to relay addresses.
public struct TestEmailSource: Hashable, Sendable, Decodable {
    /// The file that Apple wants to find at the source's domain.
    public struct AssociationFile: Hashable, Sendable, Decodable {
        /// The path below the domain.
        public let path: String
        /// The text that the file has to contain.
        public let content: String
    }

    /// The team that registered it.
    public let team: TeamID
    /// The domain or the address.
    public let source: String
    /// The result that a receiver of mail gets for SPF.
    public let spf: Portal.EmailSource.Check
    /// The result that a receiver of mail gets for DKIM.
    public let dkim: Portal.EmailSource.Check
    /// Whether it passed the verify step. The relay refuses mail from others.
    public let verified: Bool
    /// The file for the verify step of a domain.
    public let associationFile: AssociationFile?
}
