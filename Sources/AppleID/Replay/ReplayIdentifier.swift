import AppleIDTypes

/// By what a replay is known: a token or a notification of Apple's, and until when it could be used again.
public struct ReplayIdentifier: Hashable, Sendable {
    /// The same for every spelling of one token, and of no use to anybody who reads it.
    public let value: String
    /// Seconds since 1970; from then on the token is refused anyway, and need not be remembered.
    public let expiresAt: Int64

    /// The digest of what Apple signed.
    public init(_ identity: VerifiedIdentity) {
        value = "token:" + String(decoding: Hexadecimal.encode(identity.signingInputDigest), as: UTF8.self)
        expiresAt = identity.expiresAt + Leeway.seconds
    }

    /// Its `jti`, which every delivery of one notification carries.
    public init(_ notification: VerifiedNotification) {
        value = "notification:" + notification.id
        expiresAt = (notification.expiresAt ?? notification.issuedAt + NotificationAgeRule.maximumAge) + Leeway.seconds
    }
}
