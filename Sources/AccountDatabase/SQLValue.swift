/// One value for a statement: one of five types, or null. No value holds U+0000, so no engine checks for it.
package struct SQLValue: Hashable, Sendable {
    /// The value in the form that an engine binds.
    package enum Word: Hashable, Sendable {
        case null
        case id(String)
        case text(String)
        case bytes([UInt8])
        case int64(Int64)
        case flag(Bool)
    }

    package let word: Word

    private init(_ word: Word) {
        self.word = word
    }

    package static let null = Self(.null)

    /// An identifier of ours, which the engine compares byte by byte.
    ///
    /// Throws ``SQLDatabaseError`` with the code `invalidText` for a text with U+0000: PostgreSQL cannot store it, and
    /// SQLite would cut the text there.
    package static func id(_ id: String) throws(SQLDatabaseError) -> Self {
        Self(.id(try checked(id)))
    }

    /// Throws like ``id(_:)``.
    package static func text(_ text: String) throws(SQLDatabaseError) -> Self {
        Self(.text(try checked(text)))
    }

    /// Throws like ``id(_:)``.
    package static func text(_ word: some RawRepresentable<String>) throws(SQLDatabaseError) -> Self {
        try text(word.rawValue)
    }

    /// Throws like ``id(_:)``.
    package static func text(orNull text: String?) throws(SQLDatabaseError) -> Self {
        guard let text else { return .null }
        return try .text(text)
    }

    package static func bytes(_ bytes: [UInt8]) -> Self { Self(.bytes(bytes)) }

    package static func int64(_ number: Int64) -> Self { Self(.int64(number)) }

    package static func int64(orNull number: Int64?) -> Self {
        guard let number else { return .null }
        return .int64(number)
    }

    package static func flag(_ flag: Bool) -> Self { Self(.flag(flag)) }

    private static func checked(_ text: String) throws(SQLDatabaseError) -> String {
        // The search goes through the bytes directly, which is faster than the search of a collection.
        var text = text
        guard text.withUTF8({ bytes in unsafe !bytes.contains(0) }) else {
            throw SQLDatabaseError(.invalidText, "A text with U+0000 cannot be stored.")
        }
        return text
    }
}
