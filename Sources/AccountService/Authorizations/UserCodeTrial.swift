/// A user code that somebody typed, looked up and, when it is wrong, counted in one transaction.
public struct UserCodeTrial: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// In whatever state the authorization is.
        case found(StoredAuthorization)
        case wrong
        /// Too many were wrong, by one of the limits: nothing was looked up.
        case refused
    }

    /// As what the code may be stored: looked for in this order.
    public var codeHashes: [TokenHash]
    /// Each of them must allow the trial, and counts it when it is wrong.
    public var limits: [WrongCodeLimit]

    public init(codeHashes: [TokenHash], limits: [WrongCodeLimit]) {
        self.codeHashes = codeHashes
        self.limits = limits
    }
}
