import AccountService

/// The account and identity that a sign-in found or made.
struct SignedInPerson {
    var account: Account
    var identity: IdentityID
    var isNew: Bool
    /// The account's, as this sign-in has raised it.
    var revision: Int64
}
