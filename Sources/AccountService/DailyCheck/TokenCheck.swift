public import AppleIDTypes

/// One refresh token of Apple's that is due to be asked about, on loan to the server that does.
public struct TokenCheck: Hashable, Sendable {
    public var token: AppleToken
    public var identity: IdentityID
    public var subject: Subject

    public init(token: AppleToken, identity: IdentityID, subject: Subject) {
        self.token = token
        self.identity = identity
        self.subject = subject
    }
}
