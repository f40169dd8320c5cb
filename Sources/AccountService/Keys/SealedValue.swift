/// A sealed value, and what its seal is bound to.
public struct SealedValue: Hashable, Sendable {
    /// The primary key of its row.
    public var key: [String]
    /// With ``SealedColumn/authorizationTokens`` the token's id, which is the row that its seal names.
    public var row: String?
    /// Where the seal is bound to a client.
    public var client: String?
    public var sealed: [UInt8]

    public init(key: [String], row: String? = nil, client: String? = nil, sealed: [UInt8]) {
        self.key = key
        self.row = row
        self.client = client
        self.sealed = sealed
    }
}
