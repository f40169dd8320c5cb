import AccountDatabase
import AccountService
import AppleIDTesting
import Crypto
import Foundation
import Testing

/// A store whose tables a test looks into.
private struct OpenStore {
    let database: any SQLDatabase
    let store: AccountTransactions

    init() async throws {
        func store(on database: some SQLDatabase) async throws -> AccountTransactions {
            try await AccountTransactions(on: database)
        }
        database = try await Engine.current.migratedDatabase()
        self.store = try await store(on: database)
    }

    /// The hash in the only authorization.
    func userCodeHash() async throws -> TokenHash {
        let hashes = try await database.read { connection in
            try connection.query("SELECT user_code_hash FROM authorizations", []) { try TokenHash(bytes: $0.bytes()) }
        }
        try #require(hashes.count == 1)
        return hashes[0]
    }
}

@Suite("A user code in the database", .eachEngine)
struct StoredUserCodeTests {
    /// The hash that a server of the previous version stores.
    private func formerHash(of device: WaitingDevice) -> TokenHash {
        TokenHash(of: device.userCode.replacing("-", with: ""))
    }

    private func expectFound(_ device: WaitingDevice, by system: TestSystem) async throws {
        let prompt = try await system.domain.authorizations.prompt(userCode: device.userCode, from: "192.0.2.9")
        #expect(prompt.appName == "Juice")
    }

    @Test("can't be recognized without a key of the ring")
    func keyed() async throws {
        let open = try await OpenStore()
        let system = try await TestSystem(store: open.store)
        let device = try await system.wait()
        #expect(try await open.userCodeHash() != formerHash(of: device))
        try await expectFound(device, by: system)
    }

    @Test("is found after another key was put first into the ring")
    func otherRing() async throws {
        let open = try await OpenStore()
        let system = try await TestSystem(store: open.store)
        let device = try await system.wait()
        let key = KeyRing.newText(id: "next", randomness: Array(repeating: 6, count: 32))
        try await expectFound(
            device, by: TestSystem(store: open.store, sharing: system, ring: key + "," + TestSystem.ring))
    }

    @Test("that a server of the version before wrote is found")
    func former() async throws {
        let open = try await OpenStore()
        let system = try await TestSystem(store: open.store)
        let device = try await system.wait()
        _ = try await open.database.write { [hash = formerHash(of: device)] connection in
            try connection.execute("UPDATE authorizations SET user_code_hash = ?1", [.hash(hash)])
        }
        try await expectFound(device, by: system)
    }

    @Test(
        "keeps its former form for the hour after an upgrade, in which a server of the version before may look for it")
    func upgrade() async throws {
        let open = try await OpenStore()
        let before = try await TestSystem(store: open.store)
        // The version before writes nothing here.
        _ = try await open.database.write { try $0.execute("UPDATE belongs_to SET user_codes_keyed_from = NULL") }
        let system = try await TestSystem(store: open.store, sharing: before)
        system.clock.advance(by: .seconds(3_599))
        let another = try await TestSystem(store: open.store, sharing: before)
        for server in [system, another] {
            let device = try await server.wait()
            #expect(try await open.userCodeHash() == formerHash(of: device))
            try await expectFound(device, by: system)
            _ = try await open.database.write { try $0.execute("DELETE FROM authorizations") }
        }
        system.clock.advance(by: .seconds(1))
        for server in [system, another] {
            let device = try await server.wait()
            #expect(try await open.userCodeHash() != formerHash(of: device))
            try await expectFound(device, by: system)
            _ = try await open.database.write { try $0.execute("DELETE FROM authorizations") }
        }
    }
}
