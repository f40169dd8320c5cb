import AccountService
import Testing

extension AccountStoreCheck {
    static let keys: [Self] = [
        Self("A new store has no keys") { store async throws in
            #expect(try await store.serverKeys().isEmpty)
            #expect(try await store.appleKeySet() == nil)
        },
        Self("Server keys whose purpose and state are missing are inserted, and all come back oldest first") {
            store async throws in
            let active = ServerKey.sample(.accessTokens, .active, at: .start + .days(1))
            let next = ServerKey.sample(.accessTokens, .next, at: .start + .days(2))
            #expect(try await store.insertMissingServerKeys([next, active]) == [active, next])

            let refresh = ServerKey.sample(.refreshTokens, .active, at: .start)
            let late = ServerKey.sample(.accessTokens, .active, at: .start + .days(3))
            #expect(try await store.insertMissingServerKeys([late, refresh]) == [refresh, active, next])
            #expect(try await store.insertMissingServerKeys([]) == [refresh, active, next])
            #expect(try await store.serverKeys() == [refresh, active, next])
        },
        Self("Servers that start at once agree on the keys") { store async throws in
            let answers = try await atOnce(10) { _ in
                try await store.insertMissingServerKeys([
                    .sample(.accessTokens, .active), .sample(.accessTokens, .next), .sample(.refreshTokens, .active),
                ])
            }
            let stored = try await store.serverKeys()
            #expect(stored.count == 3)
            #expect(answers.allSatisfy { $0 == stored })
        },
        Self("Apple's key set is kept whole; of two, the one fetched last") { store async throws in
            let first = KeptKeySet(json: Array(#"{"keys":[]}"#.utf8), fetchedAt: .start)
            let second = KeptKeySet(json: [0, 0xFF], fetchedAt: .start + .hours(1))
            try await store.keepAppleKeySet(first)
            #expect(try await store.appleKeySet() == first)
            try await store.keepAppleKeySet(second)
            try await store.keepAppleKeySet(first)
            #expect(try await store.appleKeySet() == second)
        },
    ]
}

extension ServerKey {
    fileprivate static func sample(_ purpose: Purpose, _ state: State, at moment: Timestamp = .start) -> ServerKey {
        ServerKey(id: .sample(at: moment), purpose: purpose, state: state, sealed: [1, 2, 3], createdAt: moment)
    }
}
