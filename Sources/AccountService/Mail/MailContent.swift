import AppleIDTypes
import Foundation

/// The part of a mail that is stored sealed.
struct MailContent: Codable, Hashable, Sendable, Redacted {
    var recipient: String
    var language: String?
    var values: [String: String]
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
