import AppleID

/// Something that happened to an account and that its clients may want to know: rows of ids and codes, nothing
/// personal.
///
/// Stores write one in the transaction that decides, and keep it for ``lifetime``, also when the account itself goes.
public struct AccountEvent: Hashable, Sendable {
    /// The kind of change; new kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in; ``AccountEvent/about`` is the new session.
        public static let signedIn = Self(rawValue: "signed_in")
        /// ``AccountEvent/about`` is the session, ``AccountEvent/reason`` its ``SessionEndReason``.
        public static let sessionEnded = Self(rawValue: "session_ended")
        /// The person stopped using the app at Apple: ``AccountEvent/about`` is the identity, whose sessions ended with
        /// it, and ``AccountEvent/reason`` the ``SessionEndReason`` of those.
        public static let appleAccessEnded = Self(rawValue: "apple_access_ended")
        /// This service ends Apple's authorization at the person's wish; sessions go on. ``AccountEvent/about`` is the
        /// identity.
        public static let appleAccessRevoked = Self(rawValue: "apple_access_revoked")
        /// ``AccountEvent/about`` is the identity, ``AccountEvent/reason`` `enabled` or `disabled`.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding_changed")
        /// The person's profile has changed; ``AccountEvent/reason`` is the member: `name`, `contact_email` or `phone`.
        public static let profileChanged = Self(rawValue: "profile_changed")
        /// The person gave a consent. ``AccountEvent/about`` is the consent, ``AccountEvent/reason`` its purpose.
        public static let consentGiven = Self(rawValue: "consent_given")
        /// The person withdrew a consent. ``AccountEvent/about`` is the consent, ``AccountEvent/reason`` its purpose.
        public static let consentWithdrawn = Self(rawValue: "consent_withdrawn")
        /// The account has a password for the first time. ``AccountEvent/about`` is the identity.
        public static let passwordSet = Self(rawValue: "password_set")
        /// The person has changed their password. ``AccountEvent/about`` is the identity.
        public static let passwordChanged = Self(rawValue: "password_changed")
        /// The password was set anew by a link in a mail, and all sessions ended. ``AccountEvent/about`` is the identity.
        public static let passwordReset = Self(rawValue: "password_reset")
        /// The operator has removed the password. ``AccountEvent/about`` is the identity.
        public static let passwordRemoved = Self(rawValue: "password_removed")
        /// The password was wrong too often and is off until it is reset. ``AccountEvent/about`` is the identity.
        public static let passwordOff = Self(rawValue: "password_off")
        /// The person signs in with Apple from now on, and no more with a password. ``AccountEvent/about`` is Apple's
        /// identity.
        public static let upgraded = Self(rawValue: "upgraded")
        /// The account has one more way in. ``AccountEvent/about`` is the identity.
        public static let linked = Self(rawValue: "linked")
        /// The account has lost a way in, and sessions that it opened have ended. ``AccountEvent/about`` is the identity.
        public static let unlinked = Self(rawValue: "unlinked")
        /// The app belongs to another team now, under which the person has another user id. Sessions go on.
        /// ``AccountEvent/about`` is the identity, ``AccountEvent/reason`` `import` or `sign_in`.
        public static let identityTransferred = Self(rawValue: "identity_transferred")
        /// Two accounts have become one. ``AccountEvent/about`` is the other account, ``AccountEvent/reason`` `into` in the
        /// events of the account that is gone, of which it is the last, and `from` in those of the one that remains.
        public static let accountMerged = Self(rawValue: "account_merged")
        /// The account is gone, or waits for nothing but Apple.
        public static let accountDeleted = Self(rawValue: "account_deleted")
    }

    /// The reason of the last event of an account that was merged.
    static let mergedInto = "into"
    /// The reason of the event of a merge in the remaining account.
    static let mergedFrom = "from"

    /// How long an event can be read.
    package static let lifetime: Duration = .days(30)

    /// The account's revision after what happened: rises from event to event of one account, with gaps.
    public var revision: Int64
    /// The kind of event.
    public var kind: Kind
    /// When it happened.
    public var at: Timestamp
    /// The identifier of the session, identity, consent or other account that it is about; nil when it is about the account.
    public var about: String?
    /// A code that says why.
    public var reason: String?

    package init(revision: Int64, kind: Kind, at: Timestamp, about: String? = nil, reason: String? = nil) {
        self.revision = revision
        self.kind = kind
        self.at = at
        self.about = about
        self.reason = reason
    }
}

/// Lets clients follow what happens to their account.
package struct AccountEvents: Sendable {
    let store: AccountTransactions
    let bell: EventBell
    let environment: AppleIDEnvironment

    /// Begins to follow, on behalf of a session: live, or ended by Apple's word, which gets what happened before its
    /// end.
    /// - Parameter revision: of the last event that the client has; nil for what is to come from now on, or, for a
    ///   session that has ended, for all that is kept.
    /// - Throws: ``AccountError/Code/rateLimited`` when the account is followed too often at once.
    package func follow(_ stored: StoredSession, after revision: Int64?) async throws -> EventFeed {
        let last = try await store.accountNews(
            of: stored.session, after: nil, at: Timestamp(environment.now()), limit: 0
        ).revision
        // Nobody has an event from the future, unless the store was put back to an earlier day.
        let position = min(revision ?? (stored.ended == nil ? last : 0), last)
        // The first look comes before the first wait, and finds the events between reading the revision and listening.
        let listener = try bell.listen(to: stored.session.accountID)
        return EventFeed(
            session: stored.session, listener: listener, store: store, environment: environment, position: position)
    }
}

/// The events of one account as one session follows them. Holds nothing of the store while it waits.
package struct EventFeed: Sendable {
    static let batchSize = 100

    let session: Session
    let listener: EventBell.Listener
    let store: AccountTransactions
    let environment: AppleIDEnvironment
    /// The revision up to which all has been told.
    package private(set) var position: Int64
    /// Whether there will be no more: the session is over, and everything before its end has been told.
    package private(set) var isOver = false

    init(
        session: Session, listener: EventBell.Listener, store: AccountTransactions, environment: AppleIDEnvironment,
        position: Int64
    ) {
        self.session = session
        self.listener = listener
        self.store = store
        self.environment = environment
        self.position = position
    }

    /// Returns the events since the last call; empty when there is nothing new.
    package mutating func look() async throws -> [AccountEvent] {
        guard !isOver else { return [] }
        let news = try await store.accountNews(
            of: session, after: position, at: Timestamp(environment.now()), limit: Self.batchSize)
        position = news.events.last?.revision ?? position
        isOver = news.isOver && news.events.count < Self.batchSize
        return news.events
    }

    /// Returns when something may have happened, or after this long.
    package func wait(upTo duration: Duration) async {
        await listener.wait(upTo: duration)
    }
}

/// The news of an account for one of its sessions, read in one step.
package struct AccountNews: Hashable, Sendable {
    /// The events after the revision asked for, oldest first; none for a session that asked for what is to come. A
    /// session that has ended gets the events up to its end.
    package var events: [AccountEvent]
    /// The account's revision now: what comes later has a greater one.
    package var revision: Int64
    /// The session has ended or expired, or is gone.
    package var isOver: Bool

    package init(events: [AccountEvent], revision: Int64, isOver: Bool) {
        self.events = events
        self.revision = revision
        self.isOver = isOver
    }
}
