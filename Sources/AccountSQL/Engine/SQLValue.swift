public import AccountService

/// One value for a statement, in one of five words or null. No value holds U+0000, so no engine has to look.
public struct SQLValue: Hashable, Sendable {
    /// What an engine binds.
    public enum Word: Hashable, Sendable {
        case null
        case id(String)
        case text(String)
        case bytes([UInt8])
        case int64(Int64)
        case flag(Bool)
    }

    public let word: Word

    private init(_ word: Word) {
        self.word = word
    }

    public static let null = Self(.null)

    /// Throws `AccountError` with the code `invalidText` for a text with U+0000: PostgreSQL cannot store it, and SQLite
    /// would cut the text there.
    public static func id(_ id: some ResourceID) throws -> Self {
        Self(.id(try checked(id.rawValue)))
    }

    /// Throws like ``id(_:)``.
    public static func id(orNull id: (some ResourceID)?) throws -> Self {
        guard let id else { return .null }
        return try .id(id)
    }

    /// Throws like ``id(_:)``.
    public static func text(_ text: String) throws -> Self {
        Self(.text(try checked(text)))
    }

    /// Throws like ``id(_:)``.
    public static func text(_ word: some RawRepresentable<String>) throws -> Self {
        try text(word.rawValue)
    }

    /// Throws like ``id(_:)``.
    public static func text(orNull text: String?) throws -> Self {
        guard let text else { return .null }
        return try .text(text)
    }

    public static func bytes(_ bytes: [UInt8]) -> Self { Self(.bytes(bytes)) }

    public static func hash(_ hash: TokenHash) -> Self { Self(.bytes(hash.bytes)) }

    public static func int64(_ number: Int64) -> Self { Self(.int64(number)) }

    public static func int64(orNull number: Int64?) -> Self {
        guard let number else { return .null }
        return .int64(number)
    }

    /// Microseconds since 1970.
    public static func time(_ moment: Timestamp) -> Self { Self(.int64(moment.microseconds)) }

    public static func flag(_ flag: Bool) -> Self { Self(.flag(flag)) }

    private static func checked(_ text: String) throws -> String {
        // Through the bytes themselves: a collection's own search asks for one after the other.
        var text = text
        guard text.withUTF8({ bytes in unsafe !bytes.contains(0) }) else {
            throw AccountError(.invalidText, "A text with U+0000 cannot be stored.")
        }
        return text
    }
}
