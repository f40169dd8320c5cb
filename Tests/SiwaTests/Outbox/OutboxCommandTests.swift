import AccountService
import AppleIDTypes
import Foundation
import Testing

@Suite("siwa outbox")
struct OutboxCommandTests {
    /// A database with one parked revocation and one parked webhook.
    private func withDatabase(
        _ engine: String, _ body: (_ database: CommandDatabase) async throws -> Void
    ) async throws {
        try await CommandDatabase.with(engine) { database in
            try await database.withStore { store in
                let moment = Timestamp(secondsSince1970: 1_795_000_000)
                let id = OutboxID(rawValue: "atk_00000000000000000000000000")
                try await store.insertIntoOutbox(
                    OutboxEntry(
                        id: id, kind: .revocation, clientID: "com.example.juice", sealed: [1], personHash: nil,
                        createdAt: moment))
                let lease = QueueLease(owner: "test", at: moment, until: moment + .seconds(60), limit: 1)
                _ = try await store.leaseOutbox(lease, on: .others)
                _ = try await store.endOutboxAttempt(
                    id, owner: "test", .parked(failure: "client_rejected"), at: moment)
                try await store.noteHooks(["webhook"], at: moment)
                _ = try await store.signIn(.parked(at: moment))
                let notice = try #require(await store.leaseNotices(for: "webhook", lease).first?.notice)
                _ = try await store.endNoticeAttempt(
                    notice.id, for: "webhook", owner: "test", .parked(failure: "status_404"))
            }
            try await body(database)
        }
    }

    @Test("lists what is parked, and has it tried again", arguments: CommandDatabase.engines)
    func list(on engine: String) async throws {
        try await withDatabase(engine) { database in
            let path = database.address
            let text = try Transcript.run(["outbox", "list", "--database", path])
            #expect(text.status == 1)
            #expect(text.output.contains("atk_00000000000000000000000000  revocation  client_rejected"))
            #expect(text.output.contains("com.example.juice, attempts: 1, since 2026-11-18T"))
            let json = try Transcript.run(["outbox", "list", "--database", path, "--json"])
            #expect(json.output.contains(#""failure" : "client_rejected""#))
            #expect(json.output.contains(#""more" : false"#))
            #expect(text.output.contains("  webhook  status_404  account.created, attempts: 1, since 2026-11-18T"))
            #expect(json.output.contains(#""failure" : "status_404""#) && json.output.contains(#""account" : "acc_"#))

            let retried = try Transcript.run(["outbox", "retry", "--database", path])
            #expect(retried.status == 0 && retried.output == "2 entries are tried again.\n")
            let none = try Transcript.run(["outbox", "retry", "--database", path, "--json"])
            #expect(none.status == 0 && none.output == "{\n  \"retried\" : 0\n}\n")
            let empty = try Transcript.run(["outbox", "list", "--database", path])
            #expect(empty.status == 0 && empty.output == "Nothing is parked.\n")
        }
    }

    @Test(
        "says when more is parked than is shown, writes null for what is not known, and nothing a terminal would obey",
        arguments: CommandDatabase.engines)
    func many(on engine: String) async throws {
        try await withDatabase(engine) { database in
            let path = database.address
            let moment = Timestamp(secondsSince1970: 1_795_000_100)
            try await database.withStore { store in
                for number in 0..<1_000 {
                    try await store.insertIntoOutbox(
                        OutboxEntry(
                            id: OutboxID(rawValue: "atk_\(number)"), kind: .revocation, state: .parked, clientID: nil,
                            sealed: [1], personHash: nil, createdAt: moment, failure: "odd\u{1B}[31m"))
                }
            }
            let text = try Transcript.run(["outbox", "list", "--database", path])
            #expect(text.output.hasSuffix("\nand more\n") && !text.output.contains("\u{1B}"))
            #expect(text.output.contains("odd?[31m  no client"))
            let json = try Transcript.run(["outbox", "list", "--database", path, "--json"])
            #expect(json.output.contains(#""more" : true"#) && json.output.contains(#""client" : null"#))
        }
    }

    @Test("makes no database if there is none", arguments: ["list", "retry"])
    func missing(command: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)").path
        let result = try Transcript.run(["outbox", command, "--database", path])
        #expect(result.status == 1)
        #expect(result.complaints.contains("error: there is no database") && result.complaints.contains("hint: "))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

extension SignInRecord {
    /// Somebody's first sign-in.
    fileprivate static func parked(at moment: Timestamp) -> SignInRecord {
        SignInRecord(
            at: moment, used: [],
            person: Person(
                team: "TEAM000001", subject: "001.person", email: nil, emailVerified: false, isPrivateEmail: false,
                realUserStatus: nil),
            newAccountID: AccountID(rawValue: "acc_00000000000000000000000000"),
            newIdentityID: IdentityID(rawValue: "idn_00000000000000000000000000"), name: nil,
            openPendingProfile: { _ in nil }, appleToken: nil,
            session: NewSession(
                id: SessionID(rawValue: "ses_00000000000000000000000000"), kind: .tokens,
                clientID: "com.example.juice", secretHash: TokenHash(of: "secret"), authenticatedAt: moment,
                expiresAt: moment + .seconds(60)),
            formerSession: nil)
    }
}
