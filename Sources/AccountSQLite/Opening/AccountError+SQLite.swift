import AccountService

extension AccountError {
    static var tooManyWrites: AccountError {
        AccountError(.unavailable, "Too many writes wait for the database.", cause: DatabaseOverload())
    }
    static var databaseIsClosed: AccountError { AccountError(.unavailable, "The database is closed.") }
}
