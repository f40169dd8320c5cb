import AccountAPI
public import Foundation

/// Something that happened to the account, here, on another device, or at Apple.
public struct AccountEvent: Hashable, Sendable, Identifiable {
    /// Rises from event to event, with gaps. The last one seen is what ``AccountClient/events(after:)`` goes on from.
    public let id: Int64
    public let kind: Kind
    public let at: Date
    /// The identifier of the session or identity that it is about.
    public let about: String?
    /// A code that says why.
    public let reason: String?

    /// What happened. Take a kind that you do not know for nothing.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in; ``AccountEvent/about`` is the new session.
        public static let signedIn = Self(rawValue: "signed_in")
        /// ``AccountEvent/about`` is the session.
        public static let sessionEnded = Self(rawValue: "session_ended")
        /// The person stopped using the app with their Apple Account, or that is gone.
        public static let appleAccessEnded = Self(rawValue: "apple_access_ended")
        /// The person had it revoked, here or on another device; sessions go on.
        public static let appleAccessRevoked = Self(rawValue: "apple_access_revoked")
        /// ``AccountEvent/reason`` is `enabled` or `disabled`.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding_changed")
        public static let accountDeleted = Self(rawValue: "account_deleted")
    }

    /// nil for a message that is no event of an account.
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
