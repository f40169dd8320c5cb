import AppleID

/// Lets clients follow what happens to their account.
public struct AccountEvents: Sendable {
    let store: any AccountStore
    let bell: EventBell
    let environment: AppleIDEnvironment

    /// Begins to follow, on behalf of a session: live, or ended by Apple's word, which gets what happened before its
    /// end.
    /// - Parameter revision: of the last event that the client has; nil for what is to come from now on, or, for a
    ///   session that has ended, for all that is kept.
    /// - Throws: ``AccountError/Code/rateLimited`` when the account is followed too often at once.
    public func follow(_ stored: StoredSession, after revision: Int64?) async throws -> EventFeed {
        let last = try await store.accountNews(
            of: stored.session, after: nil, at: Timestamp(environment.now()), limit: 0
        ).revision
        // Nobody has an event from the future, unless the store was put back to an earlier day.
        let position = min(revision ?? (stored.ended == nil ? last : 0), last)
        // What happens between the two is found at the first look, which comes before the first wait.
        let listener = try bell.listen(to: stored.session.accountID)
        return EventFeed(
            session: stored.session, listener: listener, store: store, environment: environment, position: position)
    }
}
