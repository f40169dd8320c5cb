import AppleID

extension Sessions {
    /// Of how many sessions a page tells.
    static let pageLength = 50
    /// Sessions that end in one transaction, so that no sign-in waits long behind it.
    static let bite = 200

    /// The live sessions of an account.
    /// - Parameter before: where the page before ended.
    public func list(of account: AccountID, before: SessionID? = nil) async throws -> SessionPage {
        var sessions = try await store.sessions(
            of: account, liveAt: Timestamp(environment.now()), before: before, limit: Self.pageLength + 1)
        let hasMore = sessions.count > Self.pageLength
        if hasMore { sessions.removeLast() }
        let moments = sessions.map(\.createdAt)
        guard let first = moments.min(), let last = moments.max() else { return SessionPage(sessions: [], next: nil) }
        return SessionPage(
            sessions: sessions, next: hasMore ? sessions.last?.id : nil,
            signInAddresses: try await store.signInAddresses(of: account, from: first, through: last))
    }

    /// Ends one session of the person who acts through another, or through the same.
    ///
    /// Throws ``AccountError/Code/sessionUnknown`` for one that is not theirs, or not live: not told apart.
    public func end(_ id: SessionID, as acting: Session, from caller: Caller) async throws {
        let ending = ending(of: id, by: acting, from: caller)
        guard try await store.endSession(id, of: acting.accountID, ending) else {
            throw AccountError(.sessionUnknown, "no live session of this account has this id")
        }
        bell.ring(acting.accountID)
    }

    /// Ends every session of the person who acts, or every other.
    public func endAll(as acting: Session, exceptActing: Bool, from caller: Caller) async throws {
        // The others first: when something fails half-way, the person can still ask again.
        while try await store.endSessions(
            of: acting.accountID, except: acting.id, ending(of: nil, by: acting, from: caller), limit: Self.bite)
            == Self.bite
        {}
        defer { bell.ring(acting.accountID) }
        if !exceptActing {
            _ = try await store.endSession(
                acting.id, of: acting.accountID, ending(of: acting.id, by: acting, from: caller))
        }
    }

    private func ending(of id: SessionID?, by acting: Session, from caller: Caller) -> SessionEnding {
        SessionEnding(
            at: Timestamp(environment.now()), reason: id == acting.id ? .signedOut : .endedElsewhere,
            by: .account(through: acting.id, from: caller))
    }
}
