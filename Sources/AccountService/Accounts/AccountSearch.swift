public import AppleIDTypes
import Foundation

/// What an operator looks for: an account's id, an address, an Apple `sub`, or words of a name.
///
/// Which of them it is shows in its form. Address and name are compared as a person would: without regard to case, and
/// names without regard to marks on letters and to what a word goes on with. Databases do that each in its own way, so
/// it is done here, account by account; ids and `sub` are compared exactly, by the database.
public struct AccountSearch: Sendable, Redacted {
    enum Kind: Sendable {
        case id(AccountID)
        /// As it was typed, and in the form in which addresses are compared.
        case address(String, folded: String)
        /// A `sub`, and if nobody has it, the words of a name.
        case subjectOrName(Subject, [String])
    }

    let kind: Kind

    /// - Throws: ``AccountError/Code/requestInvalid`` for a text without anything to look for.
    public init(_ text: String) throws(AccountError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, !trimmed.utf8.contains(0) else {
            throw AccountError(.requestInvalid, "there is nothing to look for", field: nil)
        }
        if let id = AccountID(received: trimmed) {
            kind = .id(id)
        } else if trimmed.contains("@") {
            kind = .address(trimmed, folded: Self.folded(address: trimmed))
        } else {
            kind = .subjectOrName(Subject(trimmed), Self.words(of: trimmed))
        }
    }

    static func folded(address: String) -> String {
        address.precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// The words of a name, in the form in which they are compared.
    static func words(of name: String) -> [String] {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    static func has(_ record: AccountRecord, address: String) -> Bool {
        record.identities.contains { $0.email.map(folded(address:)) == address }
    }

    /// Whether each of the words begins a word of the account's name.
    static func has(_ record: AccountRecord, words: [String]) -> Bool {
        guard let name = record.name, !words.isEmpty else { return false }
        let named = name.parts.compactMap(\.self).flatMap(Self.words)
        return words.allSatisfy { word in named.contains { $0.hasPrefix(word) } }
    }
}
