import AccountDatabase
package import AppleID
import ServiceLifecycle

extension KeySetArchive {
    /// Keeps Apple's last key set in the store, so that a restart while Apple is out of reach still verifies.
    package init(store: AccountTransactions) {
        self.init(
            load: {
                guard let kept = try await store.appleKeySet() else { return nil }
                return (kept.json, kept.fetchedAt.date)
            },
            save: { json, fetchedAt in
                try await store.keepAppleKeySet(KeptKeySet(json: json, fetchedAt: Timestamp(fetchedAt)))
            })
    }
}

/// Keeps the key sets of Apple and of the other providers young, also while nobody signs in: so that an outage finds
/// fresh keys here.
package struct KeyRefresher: NamedService {
    /// How often the age of the set is looked at; it is fetched when it is older than an hour.
    private static let interval: Duration = .minutes(5)

    let keys: KeyCache
    let providers: Providers

    package func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                keys.refreshIfOld()
                providers.refreshIfOld()
            }
        }
    }
}

/// Apple's key set as it was answered, and when.
package struct KeptKeySet: Hashable, Sendable {
    package var json: [UInt8]
    package var fetchedAt: Timestamp

    package init(json: [UInt8], fetchedAt: Timestamp) {
        self.json = json
        self.fetchedAt = fetchedAt
    }
}

extension AccountTransactions {
    /// The last key set of Apple's that a server fetched, for a start while Apple cannot be reached.
    package func appleKeySet() async throws -> KeptKeySet? {
        try await read { connection in
            try connection.first(.appleKeySet, []) { columns in
                try KeptKeySet(json: columns.bytes(), fetchedAt: columns.time())
            }
        }
    }

    package func keepAppleKeySet(_ keySet: KeptKeySet) async throws {
        _ = try await write { connection in
            try connection.execute(.keepAppleKeySet, [.bytes(keySet.json), .time(keySet.fetchedAt)])
        }
    }
}

extension SQLStatement {
    fileprivate static let appleKeySet: Self = "SELECT json, fetched_at FROM apple_key_set WHERE singleton = 1"
    /// Keeps the set that was fetched last, in whichever order the sets of two servers arrive.
    fileprivate static let keepAppleKeySet: Self = """
        INSERT INTO apple_key_set (singleton, json, fetched_at) VALUES (1, ?1, ?2)
        ON CONFLICT (singleton) DO UPDATE SET json = excluded.json, fetched_at = excluded.fetched_at
        WHERE apple_key_set.fetched_at <= excluded.fetched_at
        """
}
