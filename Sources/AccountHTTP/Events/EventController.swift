import AccountService
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// What happens to the caller's account, as server-sent events (WHATWG HTML, "Server-sent events").
struct EventController: Sendable {
    let events: AccountEvents
    let limits: EventStreamLimits
    let places: EventStreamPlaces

    /// - Parameter api: With ``EvenEndedSessionMiddleware``.
    func addRoutes(to api: some RouterMethods<ServiceContext>) {
        api.group(context: EvenEndedContext.self).get("account/events", use: follow)
    }

    @Sendable private func follow(_ request: Request, _ context: EvenEndedContext) async throws -> Response {
        let last = try Self.lastEvent(in: request)
        let place = try places.take()
        let feed = try await events.follow(context.session, after: last)
        let stream = EventStream(
            feed: feed, beginning: last == nil ? feed.position : nil, limits: limits, logger: context.logger)
        // Looking for a client that leaves uses the connection up: it closes after the stream, and its client is told.
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
                .connection: "close",
            ],
            body: ResponseBody { writer in
                // A client that leaves frees its place at once, not when the next comment finds nobody there.
                defer { withExtendedLifetime(place) {} }
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await piece in stream.cancelOnGracefulShutdown() { try await writer.write(piece) }
                }
                try await writer.finish(nil)
            })
    }

    private static func lastEvent(in request: Request) throws -> Int64? {
        guard let text = request.headers[.lastEventID], !text.isEmpty else { return nil }
        guard let revision = Int64(text), revision >= 0 else {
            throw HTTPFailure.invalidRequest("Last-Event-ID", "is not the id of an event")
        }
        return revision
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: Self { lastEventIDName }
    /// Tells nginx to hand each event on at once.
    fileprivate static var accelBuffering: Self { accelBufferingName }
}

// A field name is checked when it is made; these are valid tokens of RFC 9110.
private let lastEventIDName = HTTPField.Name("Last-Event-ID")!
private let accelBufferingName = HTTPField.Name("X-Accel-Buffering")!
