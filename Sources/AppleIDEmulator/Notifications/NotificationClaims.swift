import AppleIDTypes

/// What a notification says, before it is signed.
struct NotificationClaims: Sendable {
    static let lifetime: Int64 = 86_400

    let id: String
    let issuer: String
    let event: AccountEvent
    /// Seconds since 1970.
    let issuedAt: Int64
    /// Milliseconds since 1970.
    let happenedAt: Int64

    /// The claims in the order that real notifications have them.
    func json(_ quirks: Set<EmulatorConfiguration.Quirk>) -> JSONText {
        let event = eventJSON(quirks)
        return .object([
            ("iss", .string(quirks.contains(.tokenIssuerAccount) ? DiscoveryController.accountIssuer : issuer)),
            ("aud", .string(self.event.group.rawValue)),
            ("exp", quirks.contains(.notificationWithoutExpiry) ? nil : .integer(issuedAt + Self.lifetime)),
            ("iat", .integer(issuedAt)),
            ("jti", .string(id)),
            ("events", quirks.contains(.eventsAsObject) ? event : .string(event.text)),
        ])
    }

    /// The event's members in the order of the notifications that Apple signed.
    private func eventJSON(_ quirks: Set<EmulatorConfiguration.Quirk>) -> JSONText {
        .object([
            ("type", .string(event.type.rawValue)),
            ("sub", .string(event.subject.rawValue)),
            ("event_time", .integer(quirks.contains(.eventTimeInSeconds) ? happenedAt / 1_000 : happenedAt)),
            ("email", .string(event.relayAddress)),
            // A text in every sample, whatever identity tokens have.
            ("is_private_email", event.relayAddress.map { _ in .string("true") }),
        ])
    }
}
