import AccountAPI
import AccountConnection
import Foundation

/// Follows the events of an account, over as many streams as it takes.
struct EventFollower {
    private let calls: AccountCalls
    private var last: AccountEvent.ID?
    /// The session whose events are followed; nil until that is known.
    private var followed: FollowedSession?
    private var stream: Stream?
    private var waiting: [ServerSentEvent] = []
    private var backoff = EventFollower.newBackoff
    /// Whether the session has ended. One more stream then gives the events that the last one did not give.
    private var isEnding = false
    private var isOver = false

    private struct Stream {
        var body: AsyncThrowingStream<Data, any Error>.Iterator
        var parser = ServerSentEventParser()
        let openedAt: ContinuousClock.Instant
        /// Whether the session has ended, so that no other stream follows.
        let isLast: Bool
    }

    init(calls: AccountCalls, last: AccountEvent.ID?) {
        self.calls = calls
        self.last = last
    }

    mutating func next() async throws -> AccountEvent? {
        while !isOver {
            while !waiting.isEmpty {
                guard let event = AccountEvent(waiting.removeFirst()) else { continue }
                last = event.id
                switch event.kind {
                case .appleAccessRevoked: await calls.checkForRevocation()
                case .profileChanged, .passwordSet, .passwordChanged, .passwordReset, .passwordRemoved, .passwordOff,
                    .upgraded, .linked, .unlinked, .accountMerged:
                    await calls.followAccountChange()
                default: break
                }
                return event
            }
            do {
                if stream == nil { try await open() }
                try await read()
            } catch let error as AccountClientError where error.code == .sessionEnded {
                // Without a last event, another stream would give all events, and the caller wants only later ones.
                isOver = isEnding || (last == nil && followed != nil)
                isEnding = true
            } catch let error as AccountClientError where error.code == .backendUnavailable {
                try await wait(atLeast: (error.cause as? ServiceError)?.askedPause ?? .zero)
            } catch {
                guard await isFollowedSessionOver, !Task.isCancelled else { throw error }
                isOver = true
            }
        }
        return nil
    }

    /// Whether the person has signed out, or another session has taken the place of the one that was followed.
    private var isFollowedSessionOver: Bool {
        get async {
            guard let followed else { return false }
            return await calls.session.snapshot.epoch != followed.epoch
        }
    }

    private mutating func open() async throws {
        let opened = try await calls.openEvents(after: last, of: followed)
        guard let opened else {
            isOver = true
            return
        }
        followed = opened.session
        stream = Stream(
            body: opened.body.makeAsyncIterator(), openedAt: calls.environment.now(), isLast: opened.isLast)
    }

    /// Reads the next bytes. At a stream's end it checks whether the session is still there. Otherwise one stream would
    /// follow another without a pause.
    private mutating func read() async throws {
        guard var current = stream else { return }
        stream = nil
        do {
            if let bytes = try await current.body.next(isolation: #isolation) {
                waiting = try current.parser.parse(bytes)
                // The service sends this id before the first event. With it, the next stream misses none.
                if waiting.isEmpty, let id = current.parser.lastID.flatMap({ Int64($0) }) { last = max(last ?? 0, id) }
                stream = current
                return
            }
        } catch {
            // The connection broke, or the bytes were not an account service's.
        }
        if Task.isCancelled { throw Self.cancelled }
        guard !current.isLast else {
            isOver = true
            return
        }
        _ = try await calls.reloadAccount()
        if calls.environment.now() - current.openedAt > Self.maximumPause { backoff = Self.newBackoff }
        try await wait(atLeast: min(current.parser.retry ?? .zero, Self.maximumPause))
    }

    private mutating func wait(atLeast asked: Duration) async throws {
        do {
            try await calls.environment.sleep(max(backoff.next(calls.environment.randomByte), asked))
        } catch {
            throw Self.cancelled
        }
    }

    private static let maximumPause = Duration.seconds(300)
    private static var newBackoff: Backoff { Backoff(first: .seconds(1), maximum: maximumPause) }
    private static let cancelled = AccountClientError(.cancelled, "nobody follows the events any more")
}

/// The session whose events a loop follows. It doesn't follow a session that takes its place, here or in another process.
struct FollowedSession: Hashable, Sendable {
    let epoch: SessionEpoch
    let account: String

    init(_ epoch: SessionEpoch, _ account: String) {
        self.epoch = epoch
        self.account = account
    }
}

extension AccountCalls {
    /// A stream of the events of a session.
    struct OpenedEvents: Sendable {
        var body: AsyncThrowingStream<Data, any Error>
        var session: FollowedSession
        /// Whether the session has ended, so that no other stream follows.
        var isLast: Bool
    }

    /// Opens a stream of the events of the present session, or of the session that ended last.
    /// - Parameter followed: the session that was followed before; nil at first.
    /// - Returns: nil if another session has taken its place, or there are no more events of it.
    func openEvents(after id: AccountEvent.ID?, of followed: FollowedSession?) async throws -> OpenedEvents? {
        let now = try await session.ask(.read)
        if let account = now.session?.account.id, followed == nil || followed == FollowedSession(now.epoch, account) {
            let session = FollowedSession(now.epoch, account)
            let body = try await call(doing: "following the events") { token throws(ServiceError) in
                try await connection.events(
                    "/v1/account/events", accessToken: token, lastEventID: id.map { String($0) })
            }
            return try opened(body, of: session, isLast: false)
        }
        // Before anything was followed, or because the session has ended since.
        guard let ended = now.record.ended, now.session == nil,
            now.epoch.isAtMostOne(after: followed?.epoch ?? now.epoch)
        else {
            if followed == nil { throw now.notSignedInError }
            return nil
        }
        let body: AsyncThrowingStream<Data, any Error>?
        do throws(ServiceError) {
            body = try await connection.events(
                "/v1/account/events", accessToken: ended.refreshToken, lastEventID: id.map { String($0) })
        } catch {
            guard error.isAboutAccessToken else { throw AccountClientError(error, doing: "following the events") }
            return nil
        }
        return try opened(body, of: followed ?? FollowedSession(now.epoch, ""), isLast: true)
    }

    private func opened(
        _ body: AsyncThrowingStream<Data, any Error>?, of session: FollowedSession, isLast: Bool
    ) throws -> OpenedEvents {
        guard let body else {
            throw AccountClientError(
                .notConfigured, "events cannot be followed: the transport has no streams",
                hint: "Give the ServiceTransport its `stream`.")
        }
        return OpenedEvents(body: body, session: session, isLast: isLast)
    }
}
