import AppleIDTypes
import TaskSignals

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A memory of used tokens: a stolen token is worth nothing once its owner has used it.
///
/// A nonce that your server makes and consumes does the same and more. If your server can't store nonces, use a memory.
/// Several servers need one memory between them: a database with a unique column, or a cache that adds only what is not
/// there yet.
public protocol ReplayMemory: Sendable {
    /// Remembers an identifier, at once and for every server.
    /// - Returns: Whether the identifier was not there yet.
    /// - Throws: Any error if that is not known. The token is refused then.
    func insert(_ identifier: ReplayIdentifier) async throws -> Bool
}

extension ReplayMemory {
    func use(_ identifier: ReplayIdentifier) async throws(AppleIDError) {
        let isNew: Bool
        do {
            isNew = try await insert(identifier)
        } catch {
            throw AppleIDError(
                .replayUnknown, "whether the token was used before could not be found out", cause: error)
        }
        guard isNew else { throw AppleIDError(.tokenReplayed, "the token was used before") }
    }
}

/// The identifier by which a replay of a token or a notification is known, and the time until which one is possible.
public struct ReplayIdentifier: Hashable, Sendable {
    /// The text to remember. It is the same for every spelling of one token, and of no use to a thief.
    public let value: String
    /// The time from which the token is refused anyway and need not be remembered.
    public let expiresAt: Date

    /// Creates the identifier of an identity token: the digest of what Apple signed.
    public init(_ identity: VerifiedIdentity) {
        value = "token:" + String(decoding: Hexadecimal.encode(identity.signingInputDigest), as: UTF8.self)
        expiresAt = identity.expiresAt.addingTimeInterval(Double(Leeway.seconds))
    }

    /// Creates the identifier of a notification: its `jti`, which every delivery carries.
    public init(_ notification: VerifiedNotification) {
        value = "notification:" + notification.id
        let end =
            notification.expiresAt ?? notification.issuedAt.addingTimeInterval(Double(NotificationAgeRule.maximumAge))
        expiresAt = end.addingTimeInterval(Double(Leeway.seconds))
    }
}

/// A memory in one process. It forgets only expired identifiers, and those only when it is full.
///
/// If it is full of identifiers that could still be replayed, it refuses tokens rather than forget one. It remembers
/// only tokens that Apple signed for this server, but anybody with an Apple Account gets a new token with every
/// sign-in. So limit how often one person and one address may sign in, and give it room for the sign-ins of a day.
public final class InMemoryReplayMemory: ReplayMemory {
    /// An error that says that the memory is full: more tokens are alive than it was made for.
    public struct Full: Error, Equatable {}

    private struct State {
        var expiries: [String: Int64] = [:]
        /// The time before which no stored identifier expires.
        var nextSweep = Int64.max
    }

    private let capacity: Int
    private let environment: AppleIDEnvironment
    private let state = Lock(State())

    /// Creates an empty memory.
    /// - Parameter capacity: the number of identifiers that it holds. An identity token lives for a day, so this is how
    ///   many sign-ins there can be within one. Each takes about 150 bytes.
    public init(capacity: Int = 100_000, environment: AppleIDEnvironment = .live) {
        self.capacity = capacity
        self.environment = environment
    }

    /// Remembers an identifier and returns whether it was not there yet.
    /// - Throws: ``Full``.
    public func insert(_ identifier: ReplayIdentifier) async throws -> Bool {
        let now = environment.now().wholeSeconds
        return try state.withLock { state in
            if let expiry = state.expiries[identifier.value], expiry > now { return false }
            // Searches for expired identifiers only if one can have expired since the last search.
            if state.expiries.count >= capacity, state.nextSweep <= now {
                state.expiries = state.expiries.filter { $0.value > now }
                state.nextSweep = state.expiries.values.min() ?? .max
            }
            guard state.expiries.count < capacity else { throw Full() }
            let end = identifier.expiresAt.wholeSeconds
            state.expiries[identifier.value] = end
            state.nextSweep = min(state.nextSweep, end)
            return true
        }
    }
}
