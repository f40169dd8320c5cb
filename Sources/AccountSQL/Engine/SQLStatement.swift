/// A statement, or a part of one, with parameters `?1`, `?2`, …
///
/// It can be made of literals and other statements only, so that no data ever becomes SQL text. Statements that run
/// often are static constants, because engines keep them prepared by their text. They keep to what SQLite and
/// PostgreSQL share: no `LIKE`, `lower`, `now()` or `FOR UPDATE`, no reliance on where NULL sorts.
public struct SQLStatement: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public let text: String

    public init(stringLiteral value: StaticString) {
        text = value.description
    }

    public init(stringInterpolation parts: Parts) {
        text = parts.text
    }

    public var description: String { text }

    /// The pieces of an interpolated statement.
    public struct Parts: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        public mutating func appendInterpolation(_ part: SQLStatement) {
            text += part.text
        }
    }
}
