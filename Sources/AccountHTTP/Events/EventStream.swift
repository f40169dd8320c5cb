import AccountAPI
import AccountService
import Logging
import NIOCore
import StrictJSON

/// The body of an event stream, piece by piece. It ends with its session, after its lifetime, and when the store fails:
/// the client comes back with the id of the last event it has.
struct EventStream: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let feed: EventFeed
    /// Told to a client that has no id yet, so that it misses nothing when it comes back before the first event.
    let beginning: Int64?
    let limits: EventStreamLimits
    let logger: Logger

    func makeAsyncIterator() -> Iterator {
        Iterator(feed: feed, beginning: beginning, limits: limits, logger: logger)
    }

    struct Iterator: AsyncIteratorProtocol {
        private var feed: EventFeed
        private let beginning: Int64?
        private let limits: EventStreamLimits
        private let logger: Logger
        private let end: ContinuousClock.Instant
        private var lastWrite: ContinuousClock.Instant?

        init(feed: EventFeed, beginning: Int64?, limits: EventStreamLimits, logger: Logger) {
            self.feed = feed
            self.beginning = beginning
            self.limits = limits
            self.logger = logger
            end = .now + limits.lifetime
        }

        mutating func next() async -> ByteBuffer? {
            // Something at once, so that the client sees the stream open; and how soon to come back.
            guard let lastWrite else {
                return write("retry: 3000\n" + (beginning.map { "id: \($0)\n" } ?? "") + "\n")
            }
            var quietSince = lastWrite
            while !Task.isCancelled, !feed.isOver {
                let events: [AccountEvent]
                do {
                    events = try await feed.look()
                } catch {
                    logger.warning("A stream of events ended: the store failed.", metadata: ["error": "\(error)"])
                    return nil
                }
                if !events.isEmpty { return write(events.map(Self.text).joined()) }
                if feed.isOver { return nil }
                if ContinuousClock.now - quietSince >= limits.comment {
                    quietSince = .now
                    return write(": \n\n")
                }
                // Last, so that what is there is told however late the stream comes to look.
                if ContinuousClock.now >= end { return nil }
                await feed.wait(upTo: Swift.min(limits.poll, limits.comment, end - .now))
            }
            return nil
        }

        private mutating func write(_ text: String) -> ByteBuffer {
            lastWrite = .now
            return ByteBuffer(string: text)
        }

        private static func text(_ event: AccountEvent) -> String {
            // Values of text and time alone cannot fail to be encoded; a line without data would be no event.
            guard let data = try? StrictJSONEncoder().encode(AccountEventBody(event)) else { return "" }
            return "id: \(event.revision)\nevent: \(event.kind.rawValue)\n"
                + "data: \(String(decoding: data, as: UTF8.self))\n\n"
        }
    }
}
