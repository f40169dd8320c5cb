import AccountService

/// What a sign-in needs of an account's row.
struct StoredAccount {
    var revision: Int64
    var isDisabled: Bool
    var createdAt: Timestamp
    var name: PersonName?

    /// Of ``SQLStatement/storedAccount``.
    init(_ columns: inout SQLColumns) throws {
        revision = try columns.int64()
        isDisabled = try columns.optionalTime() != nil
        createdAt = try columns.time()
        name = try columns.name()
    }
}

extension SQLStatement {
    /// The columns of accounts that ``StoredAccount`` takes, in a statement that calls the table `accounts`.
    static let storedAccount: Self = "revision, disabled_at, accounts.created_at, \(nameColumns)"
}
