public import AppleIDTypes

/// A refresh token of Apple's, sealed, with the client that obtained it and alone may use or revoke it.
public struct AppleToken: Hashable, Sendable {
    public var id: AppleTokenID
    public var clientID: ClientID
    public var sealed: [UInt8]
    public var obtainedAt: Timestamp

    public init(id: AppleTokenID, clientID: ClientID, sealed: [UInt8], obtainedAt: Timestamp) {
        self.id = id
        self.clientID = clientID
        self.sealed = sealed
        self.obtainedAt = obtainedAt
    }
}
