import AccountDatabase
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService
@testable import siwa

@Suite("siwa accounts and passwords")
struct PasswordCommandsTests {
    private static let address = "Zelda@example.com"

    /// A place with two people who sign in with Apple, and one with an address and a password.
    private func withPassword(
        _ engine: String,
        _ test: (_ environment: [String: String], _ ids: [String], _ zelda: String) async throws -> Void
    ) async throws {
        try await AccountsCommandTests.withPeople(engine) { environment, ids in
            var zelda = ""
            try await AccountsCommandTests.withStore(environment) { store in
                var record = SignInRecord.numbered(7, name: "Zelda")
                record.person = SignInRecord.Person(
                    try EmailForm(EmailAddress(Self.address, field: "email")), address: Self.address)
                let outcome = try await store.signIn(record)
                zelda = outcome.account.id.rawValue
                try await store.database.write { connection in
                    try connection.setPassword(
                        of: outcome.session.identityID, sealed: [1, 2, 3], at: outcome.session.createdAt)
                }
            }
            var settings = environment
            settings["SIWA_PUBLIC_URL"] = "https://accounts.example.com"
            try await test(settings, ids, zelda)
        }
    }

    private func siwa(_ environment: [String: String], _ arguments: String...) throws -> Transcript.Result {
        try Transcript.run(["accounts"] + arguments, environment: environment)
    }

    private func json(_ result: Transcript.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test("show the ways in of an account", arguments: AccountsCommandTests.engines)
    func show(on engine: String) async throws {
        try await withPassword(engine) { environment, ids, zelda in
            let text = try siwa(environment, "show", Self.address).output
            #expect(text.hasPrefix("account    \(zelda)\n"))
            #expect(text.contains("\nways in    password, link by mail to Zelda@example.com\n"), "\(text)")
            #expect(text.contains("\n  email\n  address  Zelda@example.com\n") && !text.contains("access   "))
            #expect(try siwa(environment, "show", ids[0]).output.contains("\nways in    Apple\n"))

            let ways = try #require(try json(siwa(environment, "show", zelda, "--json"))["waysIn"] as? [String: Any])
            #expect(ways["apple"] as? Bool == false && ways["email"] as? String == Self.address)
            #expect(ways["hasPassword"] as? Bool == true && ways["passwordIsOff"] as? Bool == false)
            #expect((ways["providers"] as? [String])?.isEmpty == true)
            let shown = try json(siwa(environment, "show", zelda, "--json"))
            let identity = try #require((shown["identities"] as? [[String: Any]])?.first)
            #expect(identity["appleAccess"] is NSNull, "Apple knows nothing of the person")
            // A list of all accounts asks for nothing of each.
            let listed = try siwa(environment, "list", "zelda", "--json").output
            #expect(listed.contains(zelda) && !listed.contains("waysIn"))

            try await AccountsCommandTests.withStore(environment) { store in
                try await store.database.write { connection in
                    _ = try connection.execute("UPDATE passwords SET is_off = ?1", [.flag(true)])
                }
            }
            #expect(
                try siwa(environment, "show", zelda).output.contains("ways in    password (off until it is reset), "))
        }
    }

    @Test("send a reset only to the address of the person", arguments: AccountsCommandTests.engines)
    func reset(on engine: String) async throws {
        try await withPassword(engine) { environment, ids, zelda in
            let sent = try siwa(environment, "send-password-reset", "zelda")
            #expect(sent.status == 0 && sent.output.contains("a link for the person of \(zelda)"), "\(sent)")
            #expect(!sent.output.contains("email-links") && !sent.complaints.contains("email-links"))
            #expect(try json(siwa(environment, "send-password-reset", zelda, "--json"))["state"] as? String == "queued")
            try await AccountsCommandTests.withStore(environment) { store in
                let mails = try await MailAdministration(store: store).list()
                #expect(mails.map(\.kind) == [.passwordReset, .passwordReset])
            }
            #expect(try siwa(environment, "show", zelda).output.contains("ways in    password, "))

            let none = try siwa(environment, "send-password-reset", ids[0])
            #expect(none.status == 1 && none.complaints.contains("nobody signs in to \(ids[0]) with an address"))
            for missing in ["SIWA_PUBLIC_URL", "SIWA_KEY_RING"] {
                var without = environment
                without[missing] = nil
                #expect(try siwa(without, "send-password-reset", zelda).status == 2, "\(missing)")
            }
            #expect(try siwa(environment, "send-password-reset", "nobody").status == 1)
        }
    }

    @Test("remove a password after a confirmation", arguments: AccountsCommandTests.engines)
    func remove(on engine: String) async throws {
        try await withPassword(engine) { environment, ids, zelda in
            let unsure = try siwa(environment, "remove-password", "zelda")
            #expect(unsure.status == 1 && unsure.output.isEmpty)
            #expect(unsure.complaints.contains("hint: siwa accounts remove-password \(zelda) --yes"))
            #expect(try siwa(environment, "show", zelda).output.contains("ways in    password, "))

            let removed = try siwa(environment, "remove-password", "zelda", "--yes", "--json")
            #expect(removed.status == 0 && removed.complaints.isEmpty, "\(removed)")
            #expect(try json(removed)["account"] as? String == zelda)
            let shown = try siwa(environment, "show", zelda).output
            #expect(shown.contains("\nways in    link by mail to Zelda@example.com\n"))
            #expect(shown.contains("password_removed  -  by operator"))
            #expect(try siwa(environment, "sessions", zelda).output.contains("com.example.juice"))

            let again = try siwa(environment, "remove-password", zelda, "--yes")
            #expect(again.status == 1 && again.complaints.contains("has no password"))
            #expect(try siwa(environment, "remove-password", ids[0], "--yes").status == 1)
        }
    }
}
