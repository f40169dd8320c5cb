import AppleIDTypes

/// The notifications of a run, oldest first, and the steps of their delivery. It has no clock and no network.
struct NotificationQueue: Sendable {
    let capacity: Int
    /// The number of addresses that are written to at once.
    let attemptsAtOnce: Int
    private(set) var entries: [OutgoingNotification] = []
    /// Whether new notifications are held back.
    private(set) var isHolding = false
    /// The number of notifications that were dropped unsent, because too many waited.
    private(set) var dropped = 0

    init(capacity: Int = 1_000, attemptsAtOnce: Int = 64) {
        self.capacity = capacity
        self.attemptsAtOnce = attemptsAtOnce
    }

    subscript(id: String) -> OutgoingNotification? { entries.first { $0.id == id } }

    /// Adds a notification. A full queue drops a finished one first, and a waiting one only if all wait.
    mutating func add(_ notification: OutgoingNotification) {
        if entries.count >= capacity {
            let oldest = entries.firstIndex { !$0.isWaiting && !$0.isSending } ?? entries.firstIndex { !$0.isSending }
            if let oldest {
                if entries[oldest].isWaiting { dropped += 1 }
                entries.remove(at: oldest)
            }
        }
        var notification = notification
        notification.isHeld = isHolding
        entries.append(notification)
    }

    /// Takes the oldest notification that is due and whose address gets no other one now. A slow address delays only its
    /// own notifications. The caller calls `finish` or `giveBack`.
    mutating func takeNext(at now: Int64) -> OutgoingNotification? {
        let sending = entries.filter(\.isSending)
        guard sending.count < attemptsAtOnce else { return nil }
        let busy = Set(sending.map(\.address))
        let next = entries.firstIndex { entry in
            guard case .waiting(let time) = entry.state, time <= now, entry.address != nil else { return false }
            return !entry.isHeld && !entry.waitsForNext && !busy.contains(entry.address)
        }
        guard let next else { return nil }
        entries[next].state = .sending
        return entries[next]
    }

    mutating func finish(
        _ id: String, _ outcome: OutgoingNotification.Outcome, at now: Int64, deliversOnce: Bool
    ) {
        guard let index = index(of: id) else { return }
        entries[index].finish(outcome, at: now, deliversOnce: deliversOnce)
        if isHolding { entries[index].isHeld = true }
        guard outcome.isAccepted else { return }
        for earlier in entries.indices[..<index] where entries[earlier].audience == entries[index].audience {
            entries[earlier].waitsForNext = false
        }
    }

    /// Puts back a notification that was taken but not tried, because the run ends.
    mutating func giveBack(_ id: String, at now: Int64) {
        guard let index = index(of: id) else { return }
        entries[index].state = .waiting(until: now)
    }

    mutating func hold() {
        isHolding = true
        for index in entries.indices { entries[index].isHeld = true }
    }

    mutating func release() {
        isHolding = false
        for index in entries.indices {
            entries[index].isHeld = false
            entries[index].waitsForNext = false
        }
    }

    /// Releases one notification before others that are held, so that events arrive out of order.
    mutating func release(_ id: String) throws(Refusal) {
        guard let index = index(of: id) else { throw Self.unknown }
        entries[index].isHeld = false
        entries[index].waitsForNext = false
    }

    /// Sends a notification once more: a duplicate with the same `jti`.
    mutating func replay(_ id: String, to addresses: [ClientID: String], at now: Int64) throws(Refusal) {
        guard let index = index(of: id) else { throw Self.unknown }
        guard !entries[index].isSending else {
            throw Refusal(.conflict, "The notification is on its way.")
        }
        let address = addresses[entries[index].audience]
        entries[index].address = address
        entries[index].refusals = 0
        entries[index].state = address == nil ? .unaddressed : .waiting(until: now)
        entries[index].isHeld = isHolding
    }

    private func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    private static var unknown: Refusal {
        Refusal(.unknownNotification, "No notification has this id.")
    }
}
