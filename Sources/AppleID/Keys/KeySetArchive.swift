#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where the last good key set survives a restart, so that a server which starts while Apple is down can verify.
///
/// What either closure throws is logged and otherwise costs only the archive.
public struct KeySetArchive: Sendable {
    /// Called once, when a key is first needed: whoever needs it waits for the answer, two seconds at most. After that
    /// Apple is asked, and what comes late is left unused. A time that lies ahead counts as more than an hour ago.
    public var load: @Sendable () async throws -> (json: [UInt8], fetchedAt: Date)?
    /// Called after every successful fetch, with the answer as Apple gave it. Nobody waits for it.
    public var save: @Sendable (_ json: [UInt8], _ fetchedAt: Date) async throws -> Void

    /// What they keep is public, but whoever can write it can sign people in: keep it where your server alone writes.
    public init(
        load: @escaping @Sendable () async throws -> (json: [UInt8], fetchedAt: Date)?,
        save: @escaping @Sendable (_ json: [UInt8], _ fetchedAt: Date) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }
}
