import AccountDatabase
import AccountSQLite
import Crypto
import Testing

@testable import AccountService

@Suite("The server's own keys")
struct ServerKeysTests {
    @Test("are created at the first start and found at the next")
    func kept() async throws {
        let system = try await SessionSystem()
        let first = await system.domain.serverKeys.publicKeys()
        let again = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        #expect(await again.serverKeys.publicKeys() == first)
        #expect(first.count == 2)
        #expect(first.allSatisfy { $0.x.count == 32 && $0.y.count == 32 })
    }

    @Test("are sealed in the store")
    func sealed() async throws {
        let system = try await SessionSystem()
        let secret = Array(system.domain.serverKeys.activeSigningKey.privateKey.rawRepresentation)
        let stored = try await system.store.serverKeys()
        #expect(stored.count == 3)
        for key in stored {
            #expect(!key.sealed.contains(secret))
        }
    }

    @Test("open with a ring that still holds the old key, and stop the start with one that does not")
    func ring() async throws {
        let system = try await SessionSystem()
        _ = try await SessionSystem.open(
            system.store, ring: "\(KeyRingTests.two),\(KeyRingTests.one)", clock: system.clock)
        let error = await #expect(throws: AccountError(.configuration, "")) {
            try await SessionSystem.open(system.store, ring: KeyRingTests.two, clock: system.clock)
        }
        #expect(error?.reason.contains("k1") == true)
    }

    @Test("open with a replaced ring while the server runs, if it holds their key")
    func reload() async throws {
        let system = try await SessionSystem()
        let both = try KeyRing(parsing: "\(KeyRingTests.two),\(KeyRingTests.one)")
        try await system.domain.check(both)
        system.domain.replaceKeyRing(with: both)
        system.clock.advance(.seconds(2))
        try await system.domain.serverKeys.refreshIfDue()
        let error = await #expect(throws: AccountError(.configuration, "")) {
            try await system.domain.check(try KeyRing(parsing: KeyRingTests.two))
        }
        #expect(error?.reason.contains("k1") == true)
    }

    @Test("are the same for servers that start at once")
    func race() async throws {
        let store = try await AccountTransactions.open(.inMemory)
        let clock = Clock()
        let keys = try await withThrowingTaskGroup(of: [PublicServerKey].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await SessionSystem.open(store, ring: KeyRingTests.one, clock: clock).serverKeys.publicKeys()
                }
            }
            return try await group.reduce(into: Set<[PublicServerKey]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }
}

extension Array where Element: Equatable {
    fileprivate func contains(_ part: [Element]) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
