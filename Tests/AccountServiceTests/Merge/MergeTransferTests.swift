import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A merge, and people of a transfer file", .eachEngine)
struct MergeTransferTests {
    private static let source: TeamID = "OTHERTEAM1"

    private let system: PasswordSystem
    private let from: StoredSession
    private let session: StoredSession
    private let target: TeamID

    init() async throws {
        system = try await PasswordSystem()
        from = try await system.session(of: system.signInWithApple("johnny"))
        session = try await system.makeAccount()
        target = try #require(try await system.store.identities(of: from.account.id).first?.team)
    }

    /// Takes a file with one person.
    private func receive(_ subject: String, account: AccountID) async throws -> ReceivedCounts {
        var reading = TransferReading(from: Self.source, to: target, takesExistingAccounts: true)
        try await reading.receive(
            [TransferLine(from: Self.source, to: target, account: account, transferSubject: Subject(subject))],
            in: system.store, environment: system.clock.appleIDEnvironment)
        return reading.counts
    }

    private func move(_ subject: String) async throws -> TransferMove {
        let team = target
        let found = try await system.store.read { try $0.transfer(to: team, Subject(subject)) }
        return try await system.store.move(
            #require(found).id, to: TransferTarget(team: target, subject: Subject("001999.\(subject)")),
            at: system.now, by: .service(), identityID: IdentityID(rawValue: "idn_\(subject)"))
    }

    /// Notes that the merged account came in a file, with its person.
    private func noteReceived() async throws {
        let (target, account, identity, now) = (target, from.account.id, from.session.identityID, system.now)
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                INSERT INTO transfers (id, source, target, account_id, identity_id, is_received, transfer_subject, state,
                    updated_at, moved_at)
                VALUES ('trf_first', ?1, ?2, ?3, ?4, ?5, 'first', 'moved', ?6, ?6)
                """,
                [.text(Self.source), .text(target), .id(account), .id(identity), .flag(true), .time(now)])
        }
    }

    @Test("A file can't claim an account that its people don't have, whatever was merged")
    func strangers() async throws {
        #expect(try await receive("before", account: from.account.id).new == 1)
        try await system.merge(into: session)
        #expect(try await receive("after", account: from.account.id).new == 1)
        for subject in ["before", "after"] { #expect(try await move(subject) == .failed(.accountIDTaken)) }
        #expect(try await system.accountCount() == 1)
        #expect(try await system.links.list(in: session.session).count == 2)
    }

    @Test("People of the file still join an account that was merged, but not by its successor's id")
    func family() async throws {
        try await noteReceived()
        #expect(try await receive("before", account: from.account.id).new == 1)
        try await system.merge(into: session)
        #expect(try await receive("after", account: from.account.id).new == 1)
        #expect(try await receive("thief", account: session.account.id).new == 1)
        for subject in ["before", "after"] { #expect(try await move(subject) == .moved(session.account.id)) }
        #expect(try await move("thief") == .failed(.accountIDTaken))
        #expect(try await system.accountCount() == 1)
    }

    @Test("A file doesn't bring back an account whose successor was deleted")
    func deleted() async throws {
        #expect(try await receive("before", account: from.account.id).new == 1)
        try await system.merge(into: session)
        _ = try await system.domain.directory.delete(session.account.id)
        #expect(try await move("before") == .gone)
        #expect(try await receive("late", account: from.account.id).deleted == 1)
        #expect(try await system.accountCount() == 0)
    }
}
