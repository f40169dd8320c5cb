import AppleID
import Logging

/// Tells a person all that the service holds about them.
public struct Exports: Sendable {
    let store: any AccountStore
    let nameSeal: Seal
    let logger: Logger

    /// - Returns: the export, the kept names in it, opened, and what the audit has, the newest first.
    /// - Throws: ``AccountError/Code/sessionEnded`` when the account is gone.
    public func export(_ account: AccountID) async throws -> (
        export: AccountExport, kept: [KeptFacts], activity: [AuditEntry]
    ) {
        guard var export = try await store.exportAccount(account) else {
            throw AccountError(.sessionEnded, "the account is gone")
        }
        let activity = export.newest(
            .activity,
            of: try await store.auditEntries(of: account, before: nil, limit: AccountExport.longestList + 1))
        return (export, export.keptNames.compactMap(open), activity)
    }

    private func open(_ kept: KeptName) -> KeptFacts? {
        do { return try nameSeal.openFacts(kept) } catch {
            logger.error("A kept name does not open; an export lacks it.", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
