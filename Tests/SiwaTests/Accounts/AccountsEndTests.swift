import AccountService
import AppleIDTypes
import Foundation
import Logging
import Testing

@testable import siwa

@Suite("siwa accounts delete and siwa accounts export")
struct AccountsEndTests {
    private func siwa(_ environment: [String: String], _ arguments: String...) throws -> Transcript.Result {
        try Transcript.run(arguments, environment: environment)
    }

    @Test(
        "delete an account for good after a confirmation, and print its handle",
        arguments: AccountsCommandTests.engines)
    func delete(on engine: String) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, ids in
            try await AccountsCommandTests.withStore(environment) {
                try await $0.noteHooks(["webhook"], at: Timestamp(Date()))
            }
            let unsure = try siwa(environment, "accounts", "delete", "johnny")
            #expect(unsure.status == 1 && unsure.output.isEmpty && unsure.complaints.contains(ids[0]))
            #expect(unsure.complaints.contains("hint: siwa accounts delete \(ids[0]) --yes"))
            #expect(try siwa(environment, "accounts", "show", ids[0]).status == 0)

            let deleted = try siwa(environment, "accounts", "delete", "johnny", "--yes")
            #expect(deleted.status == 0 && deleted.complaints.contains("\(ids[0]) is deleted"))
            let handle = try #require(
                DeletionHandle(rawValue: deleted.output.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(try siwa(environment, "accounts", "show", ids[0]).status == 1)
            #expect(try siwa(environment, "accounts", "show", ids[1]).status == 0)
            #expect(try siwa(environment, "accounts", "delete", ids[0], "--yes").status == 1)

            try await AccountsCommandTests.withStore(environment) { store in
                let deletion = try #require(await store.deletion(TokenHash(of: handle.rawValue)))
                #expect(deletion.state == .done)
                let account = AccountID(rawValue: ids[0])
                let audit = try #require(await store.auditEntries(of: account, before: nil, limit: 1).first)
                #expect(audit.event == .accountDeleted && audit.actor.kind == .operator)
                let now = Timestamp(Date())
                let notices = try await store.leaseNotices(
                    for: "webhook", QueueLease(owner: "test", at: now, until: now, limit: 10))
                #expect(notices.map(\.notice.kind) == [.accountDeleted])
                #expect(notices.map(\.notice.reason) == ["operator"])
            }
            let json = try siwa(environment, "accounts", "delete", ids[1], "--yes", "--json")
            #expect(json.status == 0 && json.complaints.isEmpty)
            #expect(json.output.contains(#""account" : "\#(ids[1])""#) && json.output.contains(#""handle" : "del_"#))
        }
    }

    @Test(
        "say that Apple has no part in the deletion of an account without Apple",
        arguments: AccountsCommandTests.engines)
    func deleteWithoutApple(on engine: String) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, _ in
            var ids: [String] = []
            try await AccountsCommandTests.withStore(environment) { store in
                for index in 10...11 {
                    var record = SignInRecord.numbered(index, name: "Ann")
                    record.person.provider = .email
                    record.person.team = SignInRecord.Person.emailTeam
                    record.person.subject = Subject("ann\(index)@example.com")
                    ids.append(try await store.signIn(record).account.id.rawValue)
                }
            }
            let deleted = try siwa(environment, "accounts", "delete", ids[0], "--yes")
            #expect(deleted.complaints.contains("\(ids[0]) is deleted; Apple has no part in it"))
            let json = try siwa(environment, "accounts", "delete", ids[1], "--yes", "--json")
            #expect(json.output.contains(#""asksApple" : false"#) && json.output.contains(#""hasApple" : false"#))
        }
    }

    @Test("write the person a mail if the settings name a mail server", arguments: AccountsCommandTests.engines)
    func mail(on engine: String) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, ids in
            func mails() async throws -> [Mail.Kind] {
                var kinds: [Mail.Kind] = []
                try await AccountsCommandTests.withStore(environment) { store in
                    kinds = try await MailAdministration(store: store).list().map(\.kind)
                }
                return kinds
            }
            let told = try siwa(environment, "accounts", "delete", ids[0])
            #expect(told.status == 1 && told.complaints.contains("nothing was deleted"))
            let silent = try siwa(environment, "accounts", "delete", ids[0], "--yes")
            #expect(silent.status == 0 && silent.complaints.contains("gets no mail"))
            #expect(try await mails().isEmpty)

            var settings = environment
            settings["SIWA_MAIL_URL"] = "smtps://mail.example.com"
            let refused = try siwa(settings, "accounts", "delete", ids[1], "--yes")
            #expect(refused.status != 0 && refused.complaints.contains("public-url"))
            #expect(try siwa(environment, "accounts", "show", ids[1]).status == 0)

            settings["SIWA_PUBLIC_URL"] = "https://accounts.example.com"
            let deleted = try siwa(settings, "accounts", "delete", ids[1], "--yes")
            #expect(deleted.status == 0 && !deleted.complaints.contains("gets no mail"))
            #expect(try await mails() == [.deletionDone])
        }
    }

    @Test(
        "say what is missing for the mail, and delete without it if that is requested",
        arguments: CommandDatabase.engines)
    func withoutKeys(on engine: String) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, ids in
            var settings = environment
            settings["SIWA_MAIL_URL"] = "smtps://mail.example.com"
            settings["SIWA_PUBLIC_URL"] = "https://accounts.example.com"
            let ring = settings.removeValue(forKey: "SIWA_KEY_RING")
            let refused = try siwa(settings, "accounts", "delete", ids[0], "--yes")
            #expect(refused.status == 2 && refused.output.isEmpty)
            #expect(refused.complaints.contains("error: key-ring: is missing"))
            #expect(refused.complaints.contains("\nhint: the settings name a mail server"))
            #expect(refused.complaints.contains("--without-mail"))
            #expect(try siwa(settings, "accounts", "show", ids[0]).status == 0)

            // Another ring than that of the servers would seal what they can't open.
            settings["SIWA_KEY_RING"] = "other:" + Data(repeating: 9, count: 32).base64EncodedString()
            let wrong = try siwa(settings, "accounts", "delete", ids[0], "--yes")
            #expect(wrong.status == 1 && wrong.complaints.contains("error: this is not the key ring of the servers"))
            #expect(try siwa(settings, "accounts", "show", ids[0]).status == 0)

            settings["SIWA_KEY_RING"] = nil
            let silent = try siwa(settings, "accounts", "delete", ids[0], "--yes", "--without-mail", "--json")
            #expect(silent.status == 0 && silent.output.contains(#""sendsMail" : false"#), "\(silent.complaints)")
            let file = FileManager.default.temporaryDirectory.appending(path: "siwa-ring-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try AtomicFile.write(try #require(ring) + "\n", to: file.path, permissions: 0o600)
            let deleted = try siwa(
                settings, "accounts", "delete", ids[1], "--yes", "--json", "--key-ring-file", file.path)
            #expect(deleted.status == 0 && deleted.output.contains(#""sendsMail" : true"#), "\(deleted.complaints)")
        }
    }

    @Test("print all the data, or write a file that nobody else can read", arguments: AccountsCommandTests.engines)
    func export(on engine: String) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, ids in
            let printed = try siwa(environment, "accounts", "export", "PERSON0@example.com")
            #expect(printed.status == 0 && printed.complaints.isEmpty)
            let json = try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any]
            #expect(json?["accountID"] as? String == ids[0])
            #expect(printed.output.contains("person0@example.com") && !printed.output.contains("person1@example.com"))

            let file = FileManager.default.temporaryDirectory.appending(path: "siwa-export-\(UUID().uuidString).json")
            defer { try? FileManager.default.removeItem(at: file) }
            let written = try siwa(environment, "accounts", "export", ids[0], "--output", file.path)
            #expect(written.status == 0 && written.output.isEmpty)
            let content = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            #expect(content?["accountID"] as? String == ids[0])
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)

            #expect(try siwa(environment, "accounts", "export", "nobody").status == 1)
            var without = environment
            without["SIWA_KEY_RING"] = nil
            #expect(try siwa(without, "accounts", "export", ids[0]).complaints.contains("key-ring"))
        }
    }
}
