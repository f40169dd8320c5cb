import AccountService

extension AccountError {
    static var databaseIsClosed: AccountError { AccountError(.unavailable, "The database is closed.") }
}
