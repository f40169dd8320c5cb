import AppleIDTypes
import Foundation
import Testing

@testable import AccountService
@testable import siwa

@Suite("siwa mail")
struct MailCommandTests {
    private static let ring = "k1:" + Data(repeating: 1, count: 32).base64EncodedString()

    /// A database with three people, of whom the second has no verified address and the third is disabled.
    private func withPeople(
        _ engine: String, _ body: (_ database: CommandDatabase) async throws -> Void
    ) async throws {
        try await CommandDatabase.with(engine) { database in
            try await database.withStore { store in
                for number in 0..<3 { _ = try await store.signIn(.numbered(number)) }
                _ = try await AccountDirectory(store: store).disable(Self.account(2))
            }
            try await body(database)
        }
    }

    fileprivate static func account(_ number: Int) -> AccountID {
        AccountID(rawValue: "acc_" + String(repeating: "0", count: 25) + "\(number)")
    }

    private func siwa(
        _ database: CommandDatabase, _ arguments: String..., input: String? = nil, withKeys: Bool = true
    ) throws -> Transcript.Result {
        var environment = ["SIWA_DATABASE": database.address]
        if withKeys {
            environment["SIWA_KEY_RING"] = Self.ring
            environment["SIWA_PUBLIC_URL"] = "https://accounts.example.com"
        }
        return try Transcript.run(["mail"] + arguments, input: input, environment: environment)
    }

    private func json(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Lets every mail that is due fail, as a server does whose sender nobody has registered.
    private func park(in database: CommandDatabase) async throws {
        try await database.withStore { store in
            let moment = Timestamp(Date())
            let lease = QueueLease(owner: "test", at: moment, until: moment + .seconds(60), limit: 10)
            // An address gets one announcement at a time.
            while let mail = try await store.leaseMails(lease).first {
                _ = try await store.noteMail(
                    mail.id, owner: "test", .parked(failure: "relay_unauthorized_sender"), at: moment)
            }
        }
    }

    @Test("send only counts without --yes, and writes to each account once", arguments: CommandDatabase.engines)
    func sending(on engine: String) async throws {
        try await withPeople(engine) { database in
            let words = ["send", "terms", "--subject", "New terms", "--text-file", "-"]
            func send(_ more: String...) throws -> Transcript.Result {
                try Transcript.run(
                    ["mail"] + words + more, input: "We have new terms.\n",
                    environment: [
                        "SIWA_DATABASE": database.address, "SIWA_KEY_RING": Self.ring,
                        "SIWA_PUBLIC_URL": "https://accounts.example.com",
                    ])
            }
            let counted = "1 mail (left out: 1 without an address, 1 disabled)"
            let asked = try send("--all")
            #expect(asked.status == 1 && asked.output.isEmpty)
            #expect(asked.complaints.contains("error: nothing was sent; it would be \(counted)\nhint: "))
            #expect(try send("--all", "--dry-run").output == "It would be \(counted).\n")
            #expect(try siwa(database, "list").output == "No mail waits.\n")
            #expect(try send("--all", "--yes").output == "In the queue: \(counted).\n")
            let again = try json(send("--all", "--yes", "--json").output)
            #expect(
                again["queued"] as? Int == 0 && again["toldBefore"] as? Int == 1 && again["dryRun"] as? Bool == false)
            let one = try send("--to", "acc_00000000000000000000000000")
            #expect(one.output == "In the queue: 0 mails (left out: 1 told before).\n", "\(one.complaints)")
            #expect(try send("--to", "nobody@example.com").complaints.contains("error: no account was found"))
            let mail = try json(siwa(database, "list", "--json", "--addresses").output)
            #expect(mail["kind"] as? String == "announcement" && mail["recipient"] as? String == "person0@example.com")
        }
    }

    @Test("list shows what is parked, retry and remove act on it", arguments: CommandDatabase.engines)
    func queue(on engine: String) async throws {
        try await withPeople(engine) { database in
            for name in ["one", "two"] {
                let sent = try siwa(
                    database, "send", name, "--to", Self.account(0).rawValue, "--subject", "Hello", "--text-file", "-",
                    input: "Hello")
                #expect(sent.output == "In the queue: 1 mail.\n", "\(sent.complaints)")
            }
            // No key is needed for what shows no address.
            let waiting = try siwa(database, "list", withKeys: false)
            #expect(waiting.status == 0 && waiting.output.split(separator: "\n").count == 2)
            #expect(waiting.output.contains("  waiting  announcement  -  attempts: 0, since 20"))
            #expect(waiting.output.contains(", next 20") && !waiting.output.contains("@"))
            try await park(in: database)

            let parked = try siwa(database, "list", "--state", "parked", withKeys: false)
            #expect(parked.status == 1)
            #expect(parked.output.contains("  parked  announcement  relay_unauthorized_sender  attempts: 1, since 20"))
            let shown = try siwa(database, "list", "--state", "parked", "--json", withKeys: false)
            let mails = try shown.output.split(separator: "\n").map { try json($0) }
            try #require(mails.count == 2)
            #expect(mails.allSatisfy { $0["recipient"] is NSNull && $0["nextAttemptAt"] is NSNull })
            let ids = try mails.map { try #require($0["id"] as? String) }
            #expect(mails[0]["account"] as? String == Self.account(0).rawValue)
            #expect(mails[0]["isRelayAddress"] as? Bool == false)

            #expect(try siwa(database, "retry", ids[0], withKeys: false).output == "1 mail is tried again.\n")
            let none = try siwa(database, "retry", ids[0], withKeys: false)
            #expect(none.status == 1 && none.complaints.contains("error: no parked mail has this id\nhint: "))
            #expect(try json(siwa(database, "retry", "--json", withKeys: false).output)["retried"] as? Int == 1)
            #expect(try siwa(database, "list", "--state", "parked", withKeys: false).output == "No mail waits.\n")
            #expect(try siwa(database, "remove", ids[0], withKeys: false).output == "\(ids[0]) is removed.\n")
            #expect(try siwa(database, "remove", ids[0], withKeys: false).status == 1)
            #expect(try siwa(database, withKeys: false).output.hasPrefix(ids[1]))
        }
    }

    private static let receivers = "Say --to WHO, --all, or --without-password."

    @Test(
        "send requires a valid name, one kind of receiver, and a text",
        arguments: [
            (["New Terms", "--all", "--subject", "x", "--text-file", "-"], "NAME has 1 to 40"),
            (["terms", "--subject", "x", "--text-file", "-"], Self.receivers),
            (["terms", "--all", "--to", "a", "--subject", "x", "--text-file", "-"], Self.receivers),
            (["terms", "--all", "--subject", "a\nb", "--text-file", "-"], "--subject is one line"),
            (["terms", "--all", "--subject", "x", "--text-file", "-"], "the text is empty"),
        ])
    func usage(_ arguments: [String], words: String) throws {
        let result = try Transcript.run(["mail", "send"] + arguments, input: " \n")
        #expect(result.status == 2 && result.complaints.contains(words), "\(result.complaints)")
    }

    @Test("test says what is wrong with the settings, or that no server answers")
    func trying() throws {
        let missing = try Transcript.run(["mail", "test", "a@example.com"])
        #expect(missing.status == 2)
        #expect(missing.complaints.contains("error: mail-url: is missing") && missing.complaints.contains("public-url"))
        let environment = [
            "SIWA_PUBLIC_URL": "https://accounts.example.com", "SIWA_MAIL_URL": "smtp://127.0.0.1:1",
            "SIWA_MAIL_FROM": "accounts@example.com",
        ]
        let nobody = try Transcript.run(["mail", "test", "a@example.com"], environment: environment)
        #expect(nobody.status == 1)
        #expect(
            nobody.complaints == """
                error: 127.0.0.1:1 has not taken the mail: connection_failed
                hint: siwa doctor --mail looks at the mail server and the sender's domain

                """)
        let answer = try Transcript.run(["mail", "test", "nobody", "--json"], environment: environment)
        let members = try json(answer.output)
        #expect(answer.status == 1 && members["outcome"] as? String == "refused")
        #expect(members["failure"] as? String == "address_invalid")
        #expect((members["messageID"] as? String)?.hasPrefix("mail_") == true)
    }
}

extension SignInRecord {
    /// A person's first sign-in. The second person's address is not verified.
    fileprivate static func numbered(_ number: Int) -> SignInRecord {
        let moment = Timestamp(secondsSince1970: 1_795_000_000)
        let suffix = String(repeating: "0", count: 25) + "\(number)"
        return SignInRecord(
            at: moment, used: [],
            person: Person(
                team: "TEAM000001", subject: Subject("001.person.\(number)"), email: "person\(number)@example.com",
                emailVerified: number != 1, isPrivateEmail: false, realUserStatus: nil),
            newAccountID: MailCommandTests.account(number), newIdentityID: IdentityID(rawValue: "idn_" + suffix),
            name: nil, openPendingProfile: { _ in nil }, appleToken: nil,
            session: NewSession(
                id: SessionID(rawValue: "ses_" + suffix), kind: .tokens, clientID: "com.example.juice",
                secretHash: TokenHash(of: "secret\(number)"), authenticatedAt: moment,
                expiresAt: moment + .seconds(60)),
            formerSession: nil)
    }
}
