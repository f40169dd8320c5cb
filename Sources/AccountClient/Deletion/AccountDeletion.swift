import AccountAPI
public import Foundation

/// What became of a deletion. The account itself is gone from the first moment.
public struct AccountDeletion: Hashable, Sendable {
    /// A secret, by which anybody can ask how far it is: keep it to show that later.
    public let handle: String
    public let status: Status
    public let requestedAt: Date
    /// nil while something is left to do.
    public let finishedAt: Date?
    /// What the person can do, because the account service holds no token of Apple's; to be shown to them.
    public let manualRemoval: ManualRemoval?

    /// How far a deletion is. Newer account services may know more words, so a `switch` needs a `default`.
    public struct Status: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Apple is being asked to end its authorization.
        public static let waiting = Self(rawValue: "waiting")
        /// The same, but the service's operator must act first. To a person it is as good as ``waiting``.
        public static let parked = Self(rawValue: "parked")
        /// Nothing is left to do.
        public static let done = Self(rawValue: "done")
        /// The person signed in again before Apple was told, and has a new account.
        public static let withdrawn = Self(rawValue: "withdrawn")
    }

    /// Whether nothing more will come of it.
    public var isOver: Bool { finishedAt != nil || status == .done || status == .withdrawn }

    init(handle: String, _ body: DeletionBody) {
        self.handle = handle
        status = Status(rawValue: body.status.rawValue)
        requestedAt = body.requestedAt.date
        finishedAt = body.finishedAt?.date
        manualRemoval = ManualRemoval(body.manualRemoval)
    }
}

extension AccountDeletion: CustomStringConvertible, CustomReflectable {
    /// Without the handle, which is a secret.
    public var description: String { "\(status.rawValue)" }

    public var customMirror: Mirror { Mirror(self, children: ["status": status.rawValue]) }
}
