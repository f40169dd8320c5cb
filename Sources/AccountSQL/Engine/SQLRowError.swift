/// A row does not hold what the program expects: the statement or the data is wrong. It carries no stored value.
public struct SQLRowError: Error, Hashable, CustomStringConvertible {
    /// Counted from 0.
    public let column: Int
    /// What should have been there.
    public let expected: String

    public init(column: Int, expected: String) {
        self.column = column
        self.expected = expected
    }

    public var description: String { "column \(column) of a row is not \(expected)" }
}
