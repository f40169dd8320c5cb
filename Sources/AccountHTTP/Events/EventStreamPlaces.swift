import AccountAPI
import HTTPConnections
import HTTPTypes
import Synchronization

/// Counts the event streams of a server, because each holds a connection for up to an hour.
///
/// Without a bound, signed-in people alone could take all connections from those who want to sign in.
final class EventStreamPlaces: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(most: Int) { self.most = most }

    convenience init(_ configuration: AccountHTTPConfiguration) {
        self.init(most: configuration.eventStreams.maximumStreams ?? ConnectionShares(configuration.limits).streams)
    }

    /// One stream's place. It is free again when nobody holds this any more, also where the stream was never begun.
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
