import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/notifications`: what apps are told about accounts, and the tricks that the way to them can play.
struct NotificationsController: Sendable {
    let authority: Authority

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    /// Sends an event, and changes nothing else.
    @Sendable func send(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let order = try NotificationOrder(await request.boundedBody())
        let person = try authority.person(order.person)
        guard let client = authority.registry.clients[order.clientID] else {
            throw Refusal(.invalidClient, "No client has this client_id.")
        }
        let event = AccountEvent(order.type, of: person, team: client.team, group: client.group)
        let id = try authority.notify(of: event, at: order.time ?? authority.environment.milliseconds)
        return answer(id)
    }

    @Sendable func replay(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let id = try context.parameters.require("id")
        try authority.replay(id)
        return answer(id)
    }

    @Sendable func hold(_ request: Request, _ context: EmulatorContext) -> Response {
        authority.outbox.change { $0.hold() }
        return answer()
    }

    /// All of them, or with the member `id` that one only, while the others are held on.
    @Sendable func release(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let body = try await request.boundedBody()
        var id: String?
        if !body.isEmpty {
            var order = try Members(body)
            id = try order.string("id")
            try order.checkNothingIsLeft()
        }
        guard let id else {
            authority.outbox.change { $0.release() }
            return answer()
        }
        try authority.outbox.attempt { (queue) throws(Refusal) in try queue.release(id) }
        return answer(id)
    }

    /// Tells where the notifications for a primary App ID go; without `url`, nowhere.
    @Sendable func register(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var order = try Members(await request.boundedBody())
        let client = try order.required("clientID")
        let url = try order.string("url")
        try order.checkNothingIsLeft()
        do {
            try await authority.register(notificationURL: url, for: ClientID(client))
        } catch {
            guard error.code == .invalidPortal else { throw error }
            throw Refusal(error)
        }
        return .uncachedJSON(.object([("clientID", .string(client)), ("url", .string(url))]))
    }

    private func answer() -> Response {
        let queue = authority.outbox.queue
        return .uncachedJSON(
            .object([
                ("held", .bool(queue.isHolding)), ("dropped", .integer(Int64(queue.dropped))),
                ("notifications", .array(queue.entries.map(\.json))),
            ]))
    }

    /// The one, as it is now; the server may have delivered it already.
    private func answer(_ id: String) -> Response {
        .uncachedJSON(authority.outbox.queue[id]?.json ?? .object([]))
    }
}
