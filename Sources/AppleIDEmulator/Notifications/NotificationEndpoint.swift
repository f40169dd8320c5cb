import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/notifications`: the notifications of apps, and the ways to hold, repeat and reorder them.
struct NotificationEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    /// Sends an event, and changes nothing else.
    @Sendable func send(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let call = try SendNotificationRequest(await request.boundedBody())
        let person = try core.person(call.person)
        let client = try core.registry.client(call.clientID)
        let event = AccountEvent(call.type, of: person, team: client.team, group: client.group)
        let id = try core.notify(of: event, at: call.time ?? core.environment.milliseconds)
        return answer(id)
    }

    @Sendable func replay(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let id = try context.parameters.require("id")
        try core.replay(id)
        return answer(id)
    }

    @Sendable func hold(_ request: Request, _ context: EmulatorContext) -> Response {
        core.outbox.change { $0.hold() }
        return answer()
    }

    /// Releases the notification that `id` names, while the others stay held, or all without `id`.
    @Sendable func release(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        guard let id = try await request.optionalMember("id") else {
            core.outbox.change { $0.release() }
            return answer()
        }
        try core.outbox.attempt { (queue) throws(Refusal) in try queue.release(id) }
        return answer(id)
    }

    /// Sets the notification URL of a primary App ID, or removes it without `url`.
    @Sendable func register(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var members = try Members(await request.boundedBody())
        let client = try members.required("clientID")
        let url = try members.string("url")
        try members.checkAllWereRead()
        do {
            try await core.register(notificationURL: url, for: ClientID(client))
        } catch {
            guard error.code == .invalidPortal else { throw error }
            throw Refusal(error)
        }
        return .uncachedJSON(.object([("clientID", .string(client)), ("url", .string(url))]))
    }

    private func answer() -> Response {
        let queue = core.outbox.queue
        return .uncachedJSON(
            .object([
                ("held", .bool(queue.isHolding)), ("dropped", .integer(Int64(queue.dropped))),
                ("notifications", .array(queue.entries.map(\.json))),
            ]))
    }

    /// Shows one notification as it is now. The server may have delivered it already.
    private func answer(_ id: String) -> Response {
        .uncachedJSON(core.outbox.queue[id]?.json ?? .object([]))
    }
}

/// The body of `POST /emulator/notifications`: an event that no action of a person caused.
struct SendNotificationRequest: Sendable {
    private static let maximumBytes = 255

    /// The event's type. Any word is allowed, because apps have to accept unknown types. The quirks don't change it.
    let type: EventType
    let person: String
    let clientID: ClientID
    /// Milliseconds since 1970.
    let time: Int64?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        guard let type = try members.string("type"), (1...Self.maximumBytes).contains(type.utf8.count) else {
            throw Members.refused("type", "must have 1 to \(Self.maximumBytes) bytes")
        }
        self.type = EventType(type)
        person = try members.required("person")
        clientID = ClientID(try members.required("clientID"))
        time = try members.integer("eventTime")
        if let time, time <= 0 { throw Members.refused("eventTime", "must be milliseconds since 1970") }
        try members.checkAllWereRead()
    }
}

extension OutgoingNotification {
    /// The notification as the control calls show it.
    var json: JSONText {
        var due: Int64?
        let word: String
        switch state {
        case .waiting(let time):
            word = isHeld || waitsForNext ? "held" : "queued"
            due = isHeld || waitsForNext ? nil : time
        case .sending: word = "sending"
        case .delivered: word = "delivered"
        case .failed: word = "failed"
        case .unaddressed: word = "unaddressed"
        }
        return .object([
            ("id", .string(id)),
            ("type", .string(type.rawValue)),
            ("clientID", .string(audience.rawValue)),
            ("url", .string(address)),
            ("state", .string(word)),
            ("createdAt", .integer(createdAt)),
            ("dueAt", due.map { .integer($0) }),
            ("attempts", .array(attempts.map(\.json))),
            ("claims", claims),
            ("payload", .string(payload)),
        ])
    }
}

extension OutgoingNotification.Attempt {
    fileprivate var json: JSONText {
        switch outcome {
        case .status(let status): .object([("at", .integer(at)), ("status", .integer(Int64(status)))])
        case .unanswered(let reason): .object([("at", .integer(at)), ("error", .string(reason))])
        }
    }
}
