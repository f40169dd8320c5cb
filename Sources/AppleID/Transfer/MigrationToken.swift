public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// With which a team asks about a transfer, for one client and about an hour. One serves for all people.
///
/// Printing or mirroring it does not show the token.
public struct MigrationToken: Hashable, Sendable, Redacted {
    /// The app that is transferred.
    public let client: ClientID
    /// What Apple gave for the client secret; a secret too.
    public let accessToken: AccessToken
    /// From then on it is refused here; ``AppleIDClient/migrationToken(renewing:)`` gets another in time.
    public let expiresAt: Date

    /// For one that was kept; ``AppleIDClient/migrationToken(client:)`` gets a new one.
    public init(client: ClientID, accessToken: AccessToken, expiresAt: Date) {
        self.client = client
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }
}
