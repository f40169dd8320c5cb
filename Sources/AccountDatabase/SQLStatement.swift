/// A statement, or a part of one, with parameters `?1`, `?2`, …
///
/// It can be made of literals and other statements only, so that no data ever becomes SQL text. Statements that run
/// often are static constants, because engines keep them prepared by their text. They keep to what SQLite and
/// PostgreSQL share: no `LIKE`, `lower`, `now()` or `FOR UPDATE`, no reliance on where NULL sorts.
package struct SQLStatement: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let text: String

    package init(stringLiteral value: StaticString) {
        text = value.description
    }

    package init(stringInterpolation parts: Parts) {
        text = parts.text
    }

    /// Makes rows of parameters for `VALUES`: `(?1, ?2), (?3, ?4)`. It has numbers and nothing else.
    package static func rows(_ count: Int, of columns: Int) -> Self {
        let rows = (0..<count).map { row in
            "(" + (1...columns).map { "?\(row * columns + $0)" }.joined(separator: ", ") + ")"
        }
        return Self(text: rows.joined(separator: ", "))
    }

    private init(text: String) {
        self.text = text
    }

    package var description: String { text }

    /// The pieces of an interpolated statement.
    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        package mutating func appendInterpolation(_ part: SQLStatement) {
            text += part.text
        }
    }
}

/// The spelling of an engine: the five column types of a table definition, the options after it, and the statement that
/// finds a table.
package struct SQLDialect: Sendable {
    /// Identifiers of ours: compared and sorted byte by byte.
    package let id: SQLStatement
    package let text: SQLStatement
    package let bytes: SQLStatement
    /// Numbers, and times in microseconds since 1970.
    package let int64: SQLStatement
    package let flag: SQLStatement
    /// The options after the closing parenthesis of `CREATE TABLE`; may be empty.
    package let tableOptions: SQLStatement
    /// Finds a row if there is a table `migrations`.
    package let findMigrations: SQLStatement

    package init(
        id: SQLStatement, text: SQLStatement, bytes: SQLStatement, int64: SQLStatement, flag: SQLStatement,
        tableOptions: SQLStatement, findMigrations: SQLStatement
    ) {
        self.id = id
        self.text = text
        self.bytes = bytes
        self.int64 = int64
        self.flag = flag
        self.tableOptions = tableOptions
        self.findMigrations = findMigrations
    }
}
