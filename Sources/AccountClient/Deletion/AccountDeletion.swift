import AccountAPI
public import Foundation

/// The deletion of an account, and how far it is. The account itself is gone from the first moment.
public struct AccountDeletion: Hashable, Sendable {
    /// A secret with which an app can ask for the state of the deletion. Store it to show the state later.
    public let handle: String
    /// How far the deletion is.
    public let status: Status
    /// The time at which the account was deleted.
    public let requestedAt: Date
    /// The time at which nothing was left to do; nil before.
    public let finishedAt: Date?
    /// Instructions to be shown to the person, when the account service holds no token of Apple's to revoke.
    public let manualRemoval: ManualRemoval?
    /// Whether the person signed in with Apple. Otherwise Apple has no part in the deletion.
    public let hasApple: Bool

    /// How far a deletion is. Newer account services may know more words, so a `switch` needs a `default`.
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The account service's word.
        public let rawValue: String

        /// Makes a status of the account service's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Apple is being asked to end its authorization.
        public static let waiting = Self(rawValue: "waiting")
        /// The service can't ask Apple before its operator has acted. Show it to the person as you show ``waiting``.
        public static let parked = Self(rawValue: "parked")
        /// Nothing is left to do.
        public static let done = Self(rawValue: "done")
        /// The person signed in again before Apple was told, and has a new account.
        public static let withdrawn = Self(rawValue: "withdrawn")
    }

    /// Whether the deletion will not change any more.
    public var isOver: Bool { finishedAt != nil || status == .done || status == .withdrawn }

    init(handle: String, _ body: DeletionBody) {
        self.handle = handle
        status = Status(rawValue: body.status.rawValue)
        requestedAt = body.requestedAt.date
        finishedAt = body.finishedAt?.date
        manualRemoval = ManualRemoval(body.manualRemoval)
        hasApple = body.hasApple
    }
}

extension AccountDeletion: CustomStringConvertible, CustomReflectable {
    /// The status alone: the handle is a secret.
    public var description: String { "\(status.rawValue)" }

    /// The status alone: the handle is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.rawValue]) }
}

/// A sequence of a deletion's states, which ``AccountClient/progress(of:)`` gives: first the known one, then each change,
/// until the deletion is over.
public struct DeletionProgress: AsyncSequence, Sendable {
    /// A state of the deletion.
    public typealias Element = AccountDeletion

    let calls: AccountCalls
    let first: AccountDeletion

    /// Begins to follow the deletion.
    public func makeAsyncIterator() -> Iterator {
        Iterator(calls: calls, first: first)
    }

    /// Throws ``AccountClientError``: `cancelled`, `refused`, `invalidResponse`.
    public struct Iterator: AsyncIteratorProtocol {
        private let calls: AccountCalls
        private let first: AccountDeletion
        private var latest: AccountDeletion?
        private var pause = Duration.seconds(1)

        private static let maximumPause = Duration.seconds(300)

        init(calls: AccountCalls, first: AccountDeletion) {
            self.calls = calls
            self.first = first
        }

        /// Waits for the next change; nil when the deletion is over.
        public mutating func next() async throws -> AccountDeletion? {
            try await next(isolation: #isolation)
        }

        /// Waits for the next change; nil when the deletion is over.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AccountDeletion? {
            guard let latest else {
                self.latest = first
                return first
            }
            guard !latest.isOver else { return nil }
            while true {
                do {
                    try await calls.environment.sleep(pause)
                } catch {
                    throw AccountClientError(.cancelled, "nobody follows the deletion any more")
                }
                pause = Swift.min(pause * 2, Self.maximumPause)
                let now: AccountDeletion
                do throws(AccountClientError) {
                    now = try await calls.deletion(first.handle)
                } catch {
                    guard error.code == .backendUnavailable else { throw error }
                    // The account service goes on with the deletion.
                    continue
                }
                guard now == latest else {
                    self.latest = now
                    return now
                }
            }
        }
    }
}
