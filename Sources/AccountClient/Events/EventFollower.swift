import Foundation

import enum OpenAuthenticationServices.ServiceError

/// One who follows the events of an account, over as many streams as it takes.
struct EventFollower {
    private let core: ClientCore
    private var last: AccountEvent.ID?
    /// nil until that is known.
    private var followed: FollowedSession?
    private var stream: Stream?
    private var waiting: [ServerSentEvent] = []
    private var pause = Pause()
    /// The session has ended; what the last stream did not tell of it is still to be asked for.
    private var isEnding = false
    private var isOver = false

    private struct Stream {
        var body: AsyncThrowingStream<Data, any Error>.Iterator
        var parser = ServerSentEventParser()
        let openedAt: ContinuousClock.Instant
        /// Of a session that has ended: there is no other after it.
        let isLast: Bool
    }

    init(core: ClientCore, last: AccountEvent.ID?) {
        self.core = core
        self.last = last
    }

    mutating func next() async throws -> AccountEvent? {
        while !isOver {
            while !waiting.isEmpty {
                guard let event = AccountEvent(waiting.removeFirst()) else { continue }
                last = event.id
                if event.kind == .appleAccessRevoked { await core.hearOfRevocation() }
                return event
            }
            do {
                if stream == nil { try await open() }
                try await read()
            } catch let error as AccountClientError where error.code == .sessionEnded {
                // Who began with what was to come, and has heard nothing, does not want to hear it all.
                isOver = isEnding || (last == nil && followed != nil)
                isEnding = true
            } catch let error as AccountClientError where error.code == .backendUnavailable {
                try await wait(atLeast: (error.cause as? ServiceError)?.askedPause ?? .zero)
            }
        }
        return nil
    }

    private mutating func open() async throws {
        let opened = try await core.openEvents(after: last, of: followed)
        guard let opened else {
            isOver = true
            return
        }
        followed = opened.session
        stream = Stream(
            body: opened.body.makeAsyncIterator(), openedAt: core.environment.now(), isLast: opened.isLast)
    }

    /// Takes what has come. At a stream's end looks whether the session is still there: else one stream would follow
    /// the other without a pause.
    private mutating func read() async throws {
        guard var current = stream else { return }
        stream = nil
        do {
            if let bytes = try await current.body.next(isolation: #isolation) {
                waiting = try current.parser.parse(bytes)
                // Named before the first event, so that none is missed when the stream breaks until then.
                if waiting.isEmpty, let id = current.parser.lastID.flatMap({ Int64($0) }) { last = max(last ?? 0, id) }
                stream = current
                return
            }
        } catch {
            // The way is broken, or what came was none of the account service's.
        }
        if Task.isCancelled { throw Self.cancelled }
        guard !current.isLast else {
            isOver = true
            return
        }
        _ = try await core.reloadAccount()
        if core.environment.now() - current.openedAt > Pause.longest { pause = Pause() }
        try await wait(atLeast: min(current.parser.retry ?? .zero, Pause.longest))
    }

    private mutating func wait(atLeast asked: Duration) async throws {
        do {
            try await core.environment.sleep(max(pause.next(core.environment.randomBytes), asked))
        } catch {
            throw Self.cancelled
        }
    }

    private static let cancelled = AccountClientError(.cancelled, "nobody follows the events any more")
}

extension EventFollower {
    /// Grows from one second to five minutes, and varies by half of itself, so that many devices that lost the same
    /// server do not come back as one.
    private struct Pause {
        static let longest = Duration.seconds(300)
        private var length = Duration.seconds(1)

        mutating func next(_ randomBytes: (Int) -> [UInt8]) -> Duration {
            let part = Double(randomBytes(1).first ?? 0) / 255
            defer { length = min(length * 2, Self.longest) }
            return length * (0.75 + part / 2)
        }
    }
}
