import AppleIDTypes

/// A code on its way from the sheet to the token endpoint.
struct IssuedCode: Sendable, Codable {
    static let lifetime: Int64 = 300

    let client: ClientID
    let redirectURI: String?
    let codeChallenge: String?
    let nonce: String?
    let grant: Grant.Key
    let issuedAt: Int64
    /// Whether the app was told the address beside it; nil, as in older snapshots: it was.
    var tellsEmail: Bool?
    var isUsed = false
    /// What it was redeemed for.
    var refreshToken: String?
    var isRevoked = false
}
