#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The place where the last good key set survives a restart, so that a server can verify tokens if it starts while
/// Apple is down.
///
/// An error of either closure is logged. Nothing else depends on it.
public struct KeySetArchive: Sendable {
    /// Loads the key set. It is called once, when a key is first needed.
    ///
    /// The caller that needs the key waits for two seconds at most. After that Apple is asked, and a late answer is
    /// left unused. A time that lies ahead counts as more than an hour ago.
    public var load: @Sendable () async throws -> (json: [UInt8], fetchedAt: Date)?
    /// Saves the key set as Apple gave it. It is called after every successful fetch, and nobody waits for it.
    public var save: @Sendable (_ json: [UInt8], _ fetchedAt: Date) async throws -> Void

    /// Creates an archive from two closures.
    ///
    /// The key set is public. But who can write it can sign anybody in: keep it where your server alone writes.
    public init(
        load: @escaping @Sendable () async throws -> (json: [UInt8], fetchedAt: Date)?,
        save: @escaping @Sendable (_ json: [UInt8], _ fetchedAt: Date) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }
}
