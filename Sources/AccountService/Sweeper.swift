import AppleID
import Logging
public import ServiceLifecycle

/// Removes what is over: attempts, notes of used things, kept names, authorizations, counts, events, sessions long
/// ended, old entries of the audit. In small bites, every minute, for ever; what every sign-in writes to is walked
/// through, as often as each ``WalkedTable`` says.
public struct Sweeper: Service {
    static let interval: Duration = .minutes(1)
    /// Rows of each kind in one transaction, so that no sign-in waits long behind it.
    static let bite = 500
    /// An ended session is remembered for this long.
    static let sessionMemory: Duration = .days(30)

    /// Where a walk through a table stands.
    struct Walk {
        let table: WalkedTable
        /// When it begins, or goes on.
        var due = Timestamp(microseconds: .min)
        /// How far it has come; nil before its begin.
        var last: WalkedTable.Row?
    }

    let store: any AccountStore
    let auditLifetime: Duration
    let environment: AppleIDEnvironment
    let logger: Logger

    public func run() async {
        await cancelWhenGracefulShutdown {
            var walks = WalkedTable.allCases.map { Walk(table: $0) }
            while (try? await Task.sleep(for: Self.interval)) != nil {
                await self.sweep(&walks)
            }
        }
    }

    /// A round that leaves nothing out.
    func sweep() async {
        var walks = WalkedTable.allCases.map { Walk(table: $0) }
        await sweep(&walks)
    }

    /// One round: walks that are due, and bites until one finds less than it could take.
    func sweep(_ walks: inout [Walk]) async {
        let now = Timestamp(environment.now())
        for index in walks.indices where walks[index].due <= now {
            await go(on: &walks[index], at: now)
        }
        do {
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

    /// To the table's end, if nothing fails: the next round goes on from there.
    private func go(on walk: inout Walk, at now: Timestamp) async {
        do {
            repeat {
                walk.last = try await store.sweep(
                    walk.table, after: walk.last, endedBy: now - walk.table.memory, limit: Self.bite)
            } while walk.last != nil && !Task.isCancelled
            if walk.last == nil { walk.due = now + walk.table.interval }
        } catch {
            logger.warning(
                "Old rows could not be removed; the next round goes on.", metadata: ["error": "\(error)"])
        }
    }
}
