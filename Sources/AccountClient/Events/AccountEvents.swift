import AccountAPI
import AccountConnection
public import Foundation

extension AccountClient {
    /// Follows the events of the account from now on: sign-ins on other devices, sessions that end, changes that the person
    /// makes at Apple.
    ///
    /// ```swift
    /// for try await event in client.events() where event.kind == .signedIn {
    ///     show("Somebody has signed in on another device.")
    /// }
    /// ```
    ///
    /// If the connection to the account service breaks, the sequence reconnects, with growing pauses, and misses no event.
    /// The sequence gives the event of the session's end, and then finishes. It finishes too if the person signs out here, or
    /// if somebody else signs in. If Apple ended the session earlier, it gives the last events of that session.
    ///
    /// Each loop has a stream of its own. A server allows five streams for each account, and further loops wait for their
    /// turn. Throws `notSignedIn`; `cancelled`; `storage`; `invalidResponse` if the backend is no account service;
    /// `notConfigured` if the transport has no streams.
    /// - Parameter id: the last event that the app has seen; nil gives only events after this call. The service keeps events
    ///   for thirty days.
    public func events(after id: AccountEvent.ID? = nil) -> AccountEvents {
        AccountEvents(calls: calls, last: id)
    }
}

/// A sequence of an account's events, which ``AccountClient/events(after:)`` gives.
public struct AccountEvents: AsyncSequence, Sendable {
    /// An event of the account.
    public typealias Element = AccountEvent

    let calls: AccountCalls
    let last: AccountEvent.ID?

    /// Begins to follow the events, with a stream of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(follower: EventFollower(calls: calls, last: last))
    }

    /// Follows the events for one loop. Throws ``AccountClientError``.
    public struct Iterator: AsyncIteratorProtocol {
        private var follower: EventFollower

        init(follower: EventFollower) {
            self.follower = follower
        }

        /// Waits for the next event; nil when the session has ended.
        public mutating func next() async throws -> AccountEvent? {
            try await next(isolation: #isolation)
        }

        /// Waits for the next event; nil when the session has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AccountEvent? {
            try await follower.next()
        }
    }
}

/// An event: something that happened to the account, here, on another device, or at Apple.
public struct AccountEvent: Hashable, Sendable, Identifiable {
    /// The event's number. It rises from event to event, with gaps. ``AccountClient/events(after:)`` goes on from the
    /// last one seen.
    public let id: Int64
    /// The event's kind.
    public let kind: Kind
    /// The time at which it happened, by the account service's clock.
    public let at: Date
    /// The identifier of the session, identity or consent that the event is about.
    public let about: String?
    /// A code that says why.
    public let reason: String?

    /// The kind of an event. Ignore kinds that you don't know: newer services add some.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The account service's word.
        public let rawValue: String

        /// Makes a kind from the account service's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in; ``AccountEvent/about`` is the new session.
        public static let signedIn = Self(rawValue: "signed_in")
        /// A session ended; ``AccountEvent/about`` is that session.
        public static let sessionEnded = Self(rawValue: "session_ended")
        /// The person stopped using the app with their Apple Account, or that is gone.
        public static let appleAccessEnded = Self(rawValue: "apple_access_ended")
        /// The person had Apple's token revoked, here or on another device; sessions go on.
        public static let appleAccessRevoked = Self(rawValue: "apple_access_revoked")
        /// The person turned the forwarding of mail on or off; ``AccountEvent/reason`` is `enabled` or `disabled`.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding_changed")
        /// The person changed their profile; ``AccountEvent/reason`` is `name`, `contact_email` or `phone`. The client
        /// has asked for the account by then.
        public static let profileChanged = Self(rawValue: "profile_changed")
        /// The person gave a consent; ``AccountEvent/about`` is that consent.
        public static let consentGiven = Self(rawValue: "consent_given")
        /// The person withdrew a consent; ``AccountEvent/about`` is that consent.
        public static let consentWithdrawn = Self(rawValue: "consent_withdrawn")
        /// The person, who had no password, set one. As after ``profileChanged``, the client has asked for the account by
        /// then; that holds for the other kinds about passwords too.
        public static let passwordSet = Self(rawValue: "password_set")
        /// The person changed their password.
        public static let passwordChanged = Self(rawValue: "password_changed")
        /// The person set a new password by a link in a mail, which ended their sessions.
        public static let passwordReset = Self(rawValue: "password_reset")
        /// The password was removed. The person signs in by links in mails.
        public static let passwordRemoved = Self(rawValue: "password_removed")
        /// The password doesn't work any more, because it was guessed at too often. The person sets a new one by a link in
        /// a mail.
        public static let passwordOff = Self(rawValue: "password_off")
        /// The person signs in with Apple from now on, in place of their email address, here or on another device;
        /// ``AccountEvent/about`` is the new identity. The client has asked for the account by then.
        public static let upgraded = Self(rawValue: "upgraded")
        /// The account has one more way in; ``AccountEvent/about`` is the identity. The client has asked for the account by
        /// then.
        public static let linked = Self(rawValue: "linked")
        /// The account has lost a way in; ``AccountEvent/about`` is the identity. The client has asked for the account by
        /// then.
        public static let unlinked = Self(rawValue: "unlinked")
        /// The app belongs to another team now, under which the person has another user identifier. The session goes on,
        /// and ``AccountClient/credentialState()`` is `transferred` until the person signs in again.
        /// ``AccountEvent/about`` is the identity.
        public static let identityTransferred = Self(rawValue: "identity_transferred")
        /// Two accounts have become one; ``AccountEvent/about`` is the other account. With the ``AccountEvent/reason`` `from`
        /// that one is gone, and the client has asked for the account by then. With `into` this account is gone.
        public static let accountMerged = Self(rawValue: "account_merged")
        /// The account was deleted.
        public static let accountDeleted = Self(rawValue: "account_deleted")
    }

    /// Reads an event; nil for a message that is no event of an account.
    init?(_ message: ServerSentEvent) {
        guard let id = message.id.flatMap({ Int64($0) }),
            let body = try? JSONDecoder().decode(AccountEventBody.self, from: Data(message.data.utf8))
        else { return nil }
        self.id = id
        kind = Kind(rawValue: body.kind)
        at = body.at.date
        about = body.about
        reason = body.reason
    }
}
