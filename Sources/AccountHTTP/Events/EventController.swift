import AccountAPI
import AccountService
import HTTPConnections
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import TaskSignals

/// The events of the caller's account, as server-sent events (WHATWG HTML, "Server-sent events").
struct EventController: Sendable {
    let events: AccountEvents
    let limits: EventStreamLimits
    let places: EventStreamPlaces

    @Sendable func follow(_ request: Request, _ context: EndedSessionContext) async throws -> Response {
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
                // A client that leaves frees its place at once, not when the next comment can't be written.
                defer { withExtendedLifetime(place) {} }
                try await request.body.consumeWithCancellationOnInboundClose { body in
                    // Hummingbird traps when a stream is over before Hummingbird has read the request's end.
                    for try await _ in body {}
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

/// Counts the event streams of a server, because each holds a connection for up to an hour.
///
/// Without a bound, signed-in people alone could take all connections from those who want to sign in.
final class EventStreamPlaces: Sendable {
    private let most: Int
    private let taken = Lock(0)

    init(most: Int) { self.most = most }

    convenience init(_ configuration: AccountHTTPConfiguration) {
        self.init(most: configuration.eventStreams.maximumStreams ?? ConnectionShares(configuration.limits).streams)
    }

    /// The place of a stream. It is free again when this value goes, even if the stream never began.
    final class Place: Sendable {
        private let places: EventStreamPlaces

        fileprivate init(_ places: EventStreamPlaces) { self.places = places }

        deinit { places.taken.withLock { $0 -= 1 } }
    }

    /// - Throws: 503 when all places are taken.
    func take() throws(HTTPFailure) -> Place {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        guard isFree else {
            throw HTTPFailure(
                .unavailable, "This server has as many streams of events open as it can. Try again.",
                headers: [.retryAfter: "\(Self.retryAfter)"])
        }
        return Place(self)
    }

    /// In seconds. Streams end with their sessions, after an hour, and when people close the app.
    private static let retryAfter = 30
}

extension AccountEventBody {
    init(_ event: AccountEvent) {
        self.init(kind: event.kind.rawValue, at: APITime(event.at), about: event.about, reason: event.reason)
    }
}
