/// Whether somebody is signed in on this device.
public enum SessionState: Hashable, Sendable {
    /// Nobody is, for this reason.
    case signedOut(SignOutReason)
    /// This account is. ``Account/isConfirmed`` tells whether the account service has said so in this process.
    case signedIn(Account)

    /// The account that is signed in.
    public var account: Account? {
        if case .signedIn(let account) = self { account } else { nil }
    }
}
