import AppleID

/// The events of one account as one session follows them. Holds nothing of the store while it waits.
public struct EventFeed: Sendable {
    static let bite = 100

    let session: Session
    let listener: EventBell.Listener
    let store: any AccountStore
    let environment: AppleIDEnvironment
    /// The revision up to which all has been told.
    public private(set) var position: Int64
    /// Whether there will be no more: the session is over, and everything before its end has been told.
    public private(set) var isOver = false

    init(
        session: Session, listener: EventBell.Listener, store: any AccountStore, environment: AppleIDEnvironment,
        position: Int64
    ) {
        self.session = session
        self.listener = listener
        self.store = store
        self.environment = environment
        self.position = position
    }

    /// What has happened since the last call; empty when there is nothing new.
    public mutating func look() async throws -> [AccountEvent] {
        guard !isOver else { return [] }
        let news = try await store.accountNews(
            of: session, after: position, at: Timestamp(environment.now()), limit: Self.bite)
        position = news.events.last?.revision ?? position
        isOver = news.isOver && news.events.count < Self.bite
        return news.events
    }

    /// Returns when something may have happened, or after this long.
    public func wait(upTo duration: Duration) async {
        await listener.wait(upTo: duration)
    }
}
