import AppleID
import Logging
public import ServiceLifecycle

/// Removes what is over: attempts, notes of used things, kept names, authorizations, counts, sessions long ended,
/// old entries of the audit. In small bites, for ever.
public struct Sweeper: Service {
    static let interval: Duration = .minutes(1)
    /// Rows of each kind in one transaction, so that no sign-in waits long behind it.
    static let bite = 500
    /// An ended session is remembered for this long.
    static let sessionMemory: Duration = .days(30)

    let store: any AccountStore
    let auditLifetime: Duration
    let environment: AppleIDEnvironment
    let logger: Logger

    public func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                await self.sweep()
            }
        }
    }

    /// One round: bites until one finds less than it could take.
    func sweep() async {
        do {
            let now = Timestamp(environment.now())
            _ = try await store.removeServerKeys(retiredBefore: now - ServerKeys.retiredLifetime)
            while !Task.isCancelled {
                let removed = try await store.sweep(
                    at: now, sessionsBefore: now - Self.sessionMemory, limit: Self.bite)
                let forgotten = try await store.sweepAudit(before: now - auditLifetime, limit: Self.bite)
                if removed + forgotten < Self.bite { return }
            }
        } catch {
            logger.warning(
                "Old rows could not be removed; the next round tries again.", metadata: ["error": "\(error)"])
        }
    }
}
