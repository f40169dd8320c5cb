/// A word of Apple's protocol: an identifier, or one value of a list that may grow.
///
/// Words are structs over their raw value rather than enumerations, so that a value nobody knew when this was written
/// decodes, compares and encodes unchanged. A word is never validated by its shape: Apple documents most of them as
/// opaque.
public protocol AppleWord: RawRepresentable<String>, Hashable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    init(rawValue: String)
}

extension AppleWord {
    /// Creates a word from any text, an empty one too.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    /// Creates a word from a literal such as `"com.example.juice"`.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The word as Apple spells it. A word that is a secret has another description.
    public var description: String { rawValue }
}
