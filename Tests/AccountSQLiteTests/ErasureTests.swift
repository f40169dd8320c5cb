import AccountDatabase
import AccountSQLite
import AccountService
import AppleIDTypes
import Dispatch
import Foundation
import Logging
import Testing

@Suite("Removed data", .timeLimit(.minutes(2)))
struct ErasureTests {
    /// Everything of a person that is kept in plain.
    private static let traces = ["Unmistakable", "Surname-of-hers", "hidden.address@example.com", "001999.her-subject"]

    private func open(_ path: String, erasureDelay: Double = 0.001) async throws -> AccountTransactions {
        try await AccountTransactions(
            on: SQLiteDatabase.open(path: path, logger: Logger(label: "test"), erasureDelay: erasureDelay))
    }

    /// Waits until nothing that was removed is left in the log.
    private func erased(_ store: AccountTransactions) async throws {
        try await #require(store.database as? SQLiteDatabase).erased()
    }

    private func signIn(_ store: AccountTransactions) async throws -> SignInOutcome {
        var record = SignInRecord.numbered(1, subject: Subject(Self.traces[3]))
        record.name = PersonName(givenName: Self.traces[0], familyName: Self.traces[1])
        record.person.email = Self.traces[2]
        record.session.deviceName = DeviceName(rawValue: "Unmistakable device")
        for number in 2...5 {
            _ = try await store.signIn(.numbered(number, subject: Subject("other \(number)")))
        }
        return try await store.signIn(record)
    }

    /// Which of the traces are in any file of the database.
    private func found(in folder: String) throws -> Set<String> {
        var found: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let content = try Data(contentsOf: URL(filePath: folder + "/" + file))
            found.formUnion(Self.traces.filter { content.range(of: Data($0.utf8)) != nil })
        }
        return found
    }

    enum Way: CaseIterable {
        case person
        case `operator`
        case endOfConsent
        case endOfAppleAccount
    }

    private func remove(_ outcome: SignInOutcome, from store: AccountTransactions, _ way: Way) async throws {
        let handle = TokenHash(of: "handle")
        switch way {
        case .person:
            _ = try await store.deleteAccount(
                DeletionRecord(at: .start, session: outcome.session.id, handleHash: handle))
        case .operator:
            _ = try await store.purgeAccount(
                PurgeRecord(
                    at: .start, account: outcome.account.id, handleHash: handle, by: .operator, reason: "operator"))
        case .endOfConsent, .endOfAppleAccount:
            var notification = AppleNotification(
                id: "a notification", type: .consentRevoked,
                change: way == .endOfConsent ? .consentRevoked : .accountDeleted, team: "TEAM000001",
                audience: "com.example.juice", subject: Subject(Self.traces[3]), happenedAt: .start + .hours(1),
                receivedAt: .start + .hours(1))
            if way == .endOfConsent { notification.deletion = handle }
            #expect(try await store.applyNotification(notification).outcome == .applied)
        }
    }

    @Test("is in no file of the database soon afterwards, whichever call removed it", arguments: Way.allCases)
    func removed(_ way: Way) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await open(path)
            let outcome = try await signIn(store)
            #expect(try found(in: folder) == Set(Self.traces))
            try await remove(outcome, from: store, way)
            try await erased(store)
            // The name of an account whose Apple identity is gone is the account's still.
            let kept = way == .endOfAppleAccount ? Set(Self.traces.prefix(2)) : []
            #expect(try found(in: folder) == kept)
            // The log goes on.
            _ = try await store.signIn(.numbered(6, subject: "other 6"))
            #expect(try await store.accountCount() == (way == .endOfAppleAccount ? 6 : 5))
            try await store.database.close()
        }
    }

    @Test("of an expired kept name is erased, too")
    func pendingProfile() async throws {
        try await withTemporaryFolder { folder in
            let store = try await open(folder + "/accounts.sqlite")
            try await store.keepPendingProfile(
                PendingProfile(
                    team: "TEAM000001", subject: Subject(Self.traces[3]), sealed: Array(Self.traces[0].utf8),
                    expiresAt: .start))
            #expect(try found(in: folder).count == 2)
            _ = try await store.sweep(at: .start, sessionsBefore: .start, limit: 10)
            try await erased(store)
            #expect(try found(in: folder).isEmpty)
            try await store.database.close()
        }
    }

    @Test("is erased once no reader needs the former state, and no caller waits meanwhile")
    func reader() async throws {
        try await withTemporaryFolder { folder in
            let store = try await open(folder + "/accounts.sqlite")
            let outcome = try await signIn(store)
            let release = DispatchSemaphore(value: 0)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            async let before = store.database.read { connection in
                let count = try connection.first("SELECT count(*) FROM accounts", []) { try $0.int64() }
                begins.yield()
                release.wait()
                return count
            }
            for await _ in begun { break }
            try await remove(outcome, from: store, .person)
            let clock = ContinuousClock()
            let began = clock.now
            for number in 10..<15 { try await store.keepPendingProfile(.numbered(number)) }
            #expect(clock.now - began < .seconds(5), "the busy timeout of a single one")
            #expect(try found(in: folder) == Set(Self.traces))
            release.signal()
            #expect(try await before == 5)
            try await erased(store)
            #expect(try found(in: folder).isEmpty)
            try await store.database.close()
        }
    }

    @Test("is erased when the database closes, and nobody waits for it any longer")
    func closed() async throws {
        try await withTemporaryFolder { folder in
            let store = try await open(folder + "/accounts.sqlite", erasureDelay: 3_600)
            let outcome = try await signIn(store)
            try await remove(outcome, from: store, .person)
            try await store.database.close()
            try await erased(store)
            #expect(try found(in: folder).isEmpty)
        }
    }

    @Test("is erased at the next start if the process was killed before")
    func killed() async throws {
        try await withTemporaryFolder { folder in
            let store = try await AccountTransactions.open(.sqlite(folder + "/accounts.sqlite"))
            let outcome = try await signIn(store)
            try await remove(outcome, from: store, .person)
            // The files of a running process are those that a killed one leaves.
            let copies = folder + "/copies"
            try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
            for side in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder + "/accounts.sqlite" + side, toPath: copies + "/accounts.sqlite" + side)
            }
            try await store.database.close()
            #expect(try found(in: copies) == Set(Self.traces))
            let again = try await open(copies + "/accounts.sqlite")
            try await erased(again)
            #expect(try found(in: copies).isEmpty)
            try await again.database.close()
        }
    }
}
