import AppleIDTypes
import Foundation

/// The part of a mail that is stored sealed.
struct MailContent: Codable, Hashable, Sendable, Redacted {
    var recipient: String
    /// BCP 47, the favorite first.
    var languages: [String]
    var values: [String: String]
}

extension MailContent {
    private enum CodingKeys: CodingKey {
        case recipient, language, languages, values
    }

    /// Reads also contents with one language, which former versions wrote.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let language = try container.decodeIfPresent(String.self, forKey: .language)
        try self.init(
            recipient: container.decode(String.self, forKey: .recipient),
            languages: container.decodeIfPresent([String].self, forKey: .languages) ?? language.map { [$0] } ?? [],
            values: container.decode([String: String].self, forKey: .values))
    }

    /// Writes the first language on its own, too, for servers of a former version.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(recipient, forKey: .recipient)
        try container.encodeIfPresent(languages.first, forKey: .language)
        try container.encode(languages, forKey: .languages)
        try container.encode(values, forKey: .values)
    }
}

/// Seals and opens contents; each is bound to its mail.
struct MailSeal: Sendable {
    private let seal: Seal

    init(keyRing: KeyRingInUse) {
        seal = Seal(.mail, keyRing: keyRing)
    }

    func seal(_ content: MailContent, of mail: MailID) throws -> [UInt8] {
        try seal.seal(Array(try JSONEncoder().encode(content)), row: mail.rawValue)
    }

    /// - Throws: ``AccountError/Code/configuration`` when no key of the ring opens it.
    func open(_ sealed: [UInt8], of mail: MailID) throws -> MailContent {
        try JSONDecoder().decode(MailContent.self, from: Data(seal.open(sealed, row: mail.rawValue)))
    }
}
