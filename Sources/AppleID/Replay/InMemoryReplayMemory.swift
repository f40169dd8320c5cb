import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A memory of one process, which forgets what expired and nothing else, and that only when it is full.
///
/// When it is full of what may still be used it refuses more, rather than forget. Only tokens that Apple signed for
/// this server come to be noted; but whoever has an Apple Account gets a new one with every sign-in, so limit how often
/// one person and one address may sign in, and give it room for what that allows in a day.
public final class InMemoryReplayMemory: ReplayMemory {
    /// There was no room: more tokens are alive than the memory was made for.
    public struct Full: Error, Equatable {}

    private struct State {
        var expiries: [String: Int64] = [:]
        /// Nothing that is noted expires before.
        var nextSweep = Int64.max
    }

    private let capacity: Int
    private let environment: AppleIDEnvironment
    private let state = Mutex(State())

    /// - Parameter capacity: an identity token lives for a day, so this is how many sign-ins there can be within one.
    ///   Each takes about 150 bytes.
    public init(capacity: Int = 100_000, environment: AppleIDEnvironment = .live) {
        self.capacity = capacity
        self.environment = environment
    }

    /// - Throws: ``Full``.
    public func insert(_ identifier: ReplayIdentifier) async throws -> Bool {
        let now = environment.now().wholeSeconds
        return try state.withLock { state in
            if let expiry = state.expiries[identifier.value], expiry > now { return false }
            // Looks through all of it only once something can have expired since the last time.
            if state.expiries.count >= capacity, state.nextSweep <= now {
                state.expiries = state.expiries.filter { $0.value > now }
                state.nextSweep = state.expiries.values.min() ?? .max
            }
            guard state.expiries.count < capacity else { throw Full() }
            state.expiries[identifier.value] = identifier.expiresAt
            state.nextSweep = min(state.nextSweep, identifier.expiresAt)
            return true
        }
    }
}
