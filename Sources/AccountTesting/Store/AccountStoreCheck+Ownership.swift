import AccountService
import Testing

extension AccountStoreCheck {
    static let ownership: [Self] = [
        Self("The first claim says whose Apple the store is for, for good") { store async throws in
            #expect(try await store.claim(for: "apple") == "apple")
            #expect(try await store.claim(for: "http://127.0.0.1:4010") == "apple")
            #expect(try await store.claim(for: "apple") == "apple")
        },
        Self("Servers that claim at once agree") { store async throws in
            let owners = try await atOnce(20) { try await store.claim(for: "http://127.0.0.1:\(4_000 + $0)") }
            #expect(Set(owners).count == 1)
        },
        Self("A store that works says so") { store async throws in
            try await store.check()
        },
    ]
}
