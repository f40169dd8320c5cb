/// How an engine spells the five column words of a table definition, and what it says after it.
public struct SQLDialect: Sendable {
    /// Identifiers of ours: compared and sorted byte by byte.
    public let id: SQLStatement
    public let text: SQLStatement
    public let bytes: SQLStatement
    /// Numbers, and times in microseconds since 1970.
    public let int64: SQLStatement
    public let flag: SQLStatement
    /// What follows the closing parenthesis of `CREATE TABLE`; may be empty.
    public let tableOptions: SQLStatement

    public init(
        id: SQLStatement, text: SQLStatement, bytes: SQLStatement, int64: SQLStatement, flag: SQLStatement,
        tableOptions: SQLStatement
    ) {
        self.id = id
        self.text = text
        self.bytes = bytes
        self.int64 = int64
        self.flag = flag
        self.tableOptions = tableOptions
    }
}
