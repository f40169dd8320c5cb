import AccountSQL
import AccountService
import AppleIDTesting
import Crypto
import Foundation
import Testing

/// A store whose tables a test looks into.
private struct OpenStore {
    let database: any SQLDatabase
    let store: any AccountStore

    init() async throws {
        func store(on database: some SQLDatabase) async throws -> any AccountStore {
            try await SQLAccountStore(on: database)
        }
        database = try await Engine.current.database()
        self.store = try await store(on: database)
    }

    /// Of the one authorization that there is.
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
    /// As a server of the version before has it.
    private func formerHash(of device: WaitingDevice) -> TokenHash {
        TokenHash(of: device.userCode.replacing("-", with: ""))
    }

    private func expectFound(_ device: WaitingDevice, by house: House) async throws {
        let prompt = try await house.domain.authorizations.prompt(userCode: device.userCode, from: "192.0.2.9")
        #expect(prompt.appName == "Juice")
    }

    @Test("says nothing to whoever has no key of the ring")
    func keyed() async throws {
        let open = try await OpenStore()
        let house = try await House(store: open.store)
        let device = try await house.wait()
        #expect(try await open.userCodeHash() != formerHash(of: device))
        try await expectFound(device, by: house)
    }

    @Test("is found after another key was put first into the ring")
    func otherRing() async throws {
        let open = try await OpenStore()
        let house = try await House(store: open.store)
        let device = try await house.wait()
        let key = KeyRing.newText(id: "next", randomness: Array(repeating: 6, count: 32))
        try await expectFound(device, by: House(store: open.store, sharing: house, ring: key + "," + House.ring))
    }

    @Test("that a server of the version before wrote is found")
    func former() async throws {
        let open = try await OpenStore()
        let house = try await House(store: open.store)
        let device = try await house.wait()
        _ = try await open.database.write { [hash = formerHash(of: device)] connection in
            try connection.execute("UPDATE authorizations SET user_code_hash = ?1", [.hash(hash)])
        }
        try await expectFound(device, by: house)
    }

    @Test(
        "keeps its former form for the hour after an upgrade, in which a server of the version before may look for it")
    func upgrade() async throws {
        let open = try await OpenStore()
        let before = try await House(store: open.store)
        // The version before writes nothing here.
        _ = try await open.database.write { try $0.execute("UPDATE belongs_to SET user_codes_keyed_from = NULL") }
        let house = try await House(store: open.store, sharing: before)
        house.clock.advance(by: .seconds(3_599))
        let another = try await House(store: open.store, sharing: before)
        for server in [house, another] {
            let device = try await server.wait()
            #expect(try await open.userCodeHash() == formerHash(of: device))
            try await expectFound(device, by: house)
            _ = try await open.database.write { try $0.execute("DELETE FROM authorizations") }
        }
        house.clock.advance(by: .seconds(1))
        for server in [house, another] {
            let device = try await server.wait()
            #expect(try await open.userCodeHash() != formerHash(of: device))
            try await expectFound(device, by: house)
            _ = try await open.database.write { try $0.execute("DELETE FROM authorizations") }
        }
    }
}
