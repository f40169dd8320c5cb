import AppleIDTypes

extension Authority {
    /// Tells the apps concerned, now and by the emulator's clock. Called after a change of a grant is kept.
    func happened(_ event: AccountEvent) throws {
        var event = event
        if event.type == .accountDeleted, !current.quirks.contains(.accountDeleted) { event.type = .accountDelete }
        try notify(of: event, at: environment.milliseconds)
    }

    /// Puts a signed notification in the outbox, with the event as it is.
    /// - Parameter time: when it is said to have happened, in milliseconds since 1970.
    /// - Returns: its `jti`.
    @discardableResult
    func notify(of event: AccountEvent, at time: Int64) throws -> String {
        let now = environment.seconds
        let id = randomness.notificationID()
        let claims = NotificationClaims(
            id: id, issuer: portal.issuer, event: event, issuedAt: now, happenedAt: time
        ).json(current.quirks)
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
