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
            var walked: [WalkedTable: Timestamp] = [:]
            while (try? await Task.sleep(for: Self.interval)) != nil {
                await self.sweep(&walked)
            }
        }
    }

    /// A round that leaves nothing out.
    func sweep() async {
        var walked: [WalkedTable: Timestamp] = [:]
        await sweep(&walked)
    }

    /// One round: bites until one finds less than it could take, and walks that are due.
    /// - Parameter walked: when each walk was begun.
    func sweep(_ walked: inout [WalkedTable: Timestamp]) async {
        do {
            let now = Timestamp(environment.now())
            for table in WalkedTable.allCases where walked[table].map({ $0 + table.interval <= now }) ?? true {
                walked[table] = now
                try await walk(table, at: now)
            }
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

    private func walk(_ table: WalkedTable, at moment: Timestamp) async throws {
        var last: WalkedTable.Row?
        repeat {
            last = try await store.sweep(table, after: last, endedBy: moment - table.memory, limit: Self.bite)
        } while last != nil && !Task.isCancelled
    }
}
