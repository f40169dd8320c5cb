public import AppleID

extension KeySetArchive {
    /// Keeps Apple's last key set in the store, so that a restart while Apple is out of reach still verifies.
    public init(store: any AccountStore) {
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
