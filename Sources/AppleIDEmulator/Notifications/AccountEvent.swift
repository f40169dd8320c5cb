import AppleIDTypes

/// A person's change of their Apple Account, for one group of apps.
///
/// Call ``EmulatorCore/notifyApps(of:)`` once the change of a grant is saved. A deleted account is one event
/// for each of its grants.
struct AccountEvent: Hashable, Sendable {
    var type: EventType
    /// The primary App ID: it is the audience, and its portal entry has the address to notify.
    let group: ClientID
    let subject: Subject
    /// The relay address, with the two e-mail events.
    let relayAddress: String?

    /// - Parameters:
    ///   - type: one of those that ``EventType`` names; a deleted account is `.accountDeleted`, however it is spelt.
    ///   - person: as the portal had them, since a deleted one is there no more.
    init(_ type: EventType, of person: Portal.Person, team: TeamID, group: ClientID) {
        let identity = PairwiseIdentity(person: person, team: team)
        self.type = type
        self.group = group
        subject = identity.subject
        relayAddress = [.emailDisabled, .emailEnabled].contains(type) ? identity.relayAddress : nil
    }

    init(_ type: EventType, of person: Portal.Person, _ grant: Grant) {
        self.init(type, of: person, team: grant.team, group: grant.key.group)
    }
}

/// The claims of a notification, before it is signed.
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
    func json(_ behaviour: Behaviour) -> JSONText {
        let event = eventJSON(behaviour)
        return .object([
            ("iss", .string(issuer)),
            ("aud", .string(self.event.group.rawValue)),
            ("exp", behaviour.notificationsOmitExpiry ? nil : .integer(issuedAt + Self.lifetime)),
            ("iat", .integer(issuedAt)),
            ("jti", .string(id)),
            ("events", behaviour.eventsClaim == .object ? event : .string(event.text)),
        ])
    }

    /// The event's members in the order of the notifications that Apple signed.
    private func eventJSON(_ behaviour: Behaviour) -> JSONText {
        .object([
            ("type", .string(event.type.rawValue)),
            ("sub", .string(event.subject.rawValue)),
            ("event_time", .integer(behaviour.eventTime == .seconds ? happenedAt / 1_000 : happenedAt)),
            ("email", .string(event.relayAddress)),
            // A text in every sample, whatever identity tokens have.
            ("is_private_email", event.relayAddress.map { _ in .string("true") }),
        ])
    }
}

extension EmulatorCore {
    /// Notifies the apps of an event that happens now, by the emulator's clock. Call it after the change of a grant is
    /// saved.
    func notifyApps(of event: AccountEvent) throws {
        var event = event
        if event.type == .accountDeleted, current.behaviour.deletionEvent != .accountDeleted {
            event.type = .accountDelete
        }
        try notify(of: event, at: environment.milliseconds)
    }

    /// Puts a signed notification in the outbox, with the event as it is.
    /// - Parameter time: the time of the event in the notification, in milliseconds since 1970.
    /// - Returns: its `jti`.
    @discardableResult
    func notify(of event: AccountEvent, at time: Int64) throws -> String {
        let now = environment.seconds
        let id = randomness.notificationID()
        let state = current
        let claims = NotificationClaims(
            id: id, issuer: state.tokenIssuer, event: event, issuedAt: now, happenedAt: time
        ).json(state.behaviour)
        let address = registry.notificationURLs[event.group]
        let faults = faults.draw([.wrongSignature, .unknownKey, .duplicate, .outOfOrder], at: .notifications)
            .map(\.kind)
        var notification = OutgoingNotification(
            id: id, type: event.type, audience: event.group, address: address, createdAt: now, claims: claims,
            payload: try sign(claims, spoiltBy: faults), state: address == nil ? .unaddressed : .waiting(until: now))
        notification.repeats = faults.contains(.duplicate) ? 1 : 0
        notification.waitsForNext = faults.contains(.outOfOrder)
        outbox.change { $0.add(notification) }
        return id
    }

    func register(notificationURL: String?, for app: ClientID) async throws(EmulatorError) {
        let rules = PortalRules(isStrict: configuration.strictURLs)
        try await changePortal { (portal) throws(EmulatorError) in
            guard portal.register(notificationURL: notificationURL, for: app) else {
                throw EmulatorError(.invalidPortal, "there is no primary App ID \(app)")
            }
            try rules.check(app, in: portal)
        }
    }

    /// Sends a notification once more, to where its app wants them now.
    func replay(_ id: String) throws(Refusal) {
        let urls = registry.notificationURLs
        let now = environment.seconds
        try outbox.attempt { (queue) throws(Refusal) in try queue.replay(id, to: urls, at: now) }
    }
}
