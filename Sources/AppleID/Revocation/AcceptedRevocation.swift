public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// That Apple accepted a revocation. Worth keeping as a record of the attempt, and no proof: Apple says the same to a
/// token that was dead already, and to one it never issued.
public struct AcceptedRevocation: Hashable, Sendable {
    /// With whom the token was obtained and revoked.
    public let client: ClientID
    /// What was revoked, by its word in Apple's protocol: `refresh_token` or `access_token`.
    public let tokenType: String
    /// By this server's clock.
    public let acceptedAt: Date
}
