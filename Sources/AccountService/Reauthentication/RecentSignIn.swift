/// What an operation asks for that ends an account, or changes how its person gets in.
public enum RecentSignIn {
    /// How long a proof of who one is counts as fresh.
    public static let lifetime: Duration = .minutes(5)
}

extension Session {
    /// Whether the person has signed in with this session's identity, proven by a nonce, within
    /// ``RecentSignIn/lifetime``.
    package func hasRecentSignIn(at moment: Timestamp) -> Bool {
        hasNonceProof && moment - authenticatedAt < RecentSignIn.lifetime
    }

    /// - Throws: ``AccountError/Code/requiresRecentLogin`` unless ``hasRecentSignIn(at:)``.
    func requireRecentSignIn(at moment: Timestamp) throws(AccountError) {
        guard hasRecentSignIn(at: moment) else {
            throw AccountError(.requiresRecentLogin, "this needs a sign-in of the last five minutes")
        }
    }
}
