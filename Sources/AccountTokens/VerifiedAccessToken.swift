#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a verified access token says. Only ``AccessTokenVerifier`` makes one.
///
/// It was true when the token was made. A session that has ended since is not noticed before ``expiresAt``.
public struct VerifiedAccessToken: Hashable, Sendable {
    /// Whose it is (`sub`, `acc_…`): the key for whatever your service keeps about the account.
    public let accountID: String
    /// In which session (`sid`, `ses_…`).
    public let sessionID: String
    /// With which client the person signed in (`client_id`): an app's bundle identifier or a Services ID.
    public let clientID: String
    /// When the person last proved to Apple who they are (`auth_time`).
    public let authenticatedAt: Date
    /// When the account service made it (`iat`).
    public let issuedAt: Date
    /// Ten minutes later (`exp`); it verifies for less than a minute more.
    public let expiresAt: Date
    /// Different for every token (`jti`).
    public let tokenID: String
}
