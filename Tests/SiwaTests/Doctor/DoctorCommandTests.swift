import AccountDatabase
import AccountSQLite
import AccountService
import AppleIDTypes
import Foundation
import SiwaDoctor
import Testing

@testable import siwa

@Suite("siwa doctor, the command")
struct DoctorCommandTests {
    @Test("says that the database holds people of another team", arguments: [false, true])
    func otherTeam(admits: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "siwa.sqlite").path
        var settings = DoctorSettings()
        settings.team = "JUICETEAM1"
        func people() async throws -> Finding? { await TeamInDatabaseCheck(settings: settings).findings().first }
        #expect(try await people() == nil)
        settings.people = { await DatabaseLocation.file(path).people(besides: $0) }
        #expect(try await people()?.outcome == .skipped)
        #expect(!FileManager.default.fileExists(atPath: path))
        settings.admitsTransferredPeople = admits
        let own: TeamID = try #require(settings.team)
        for team in [own, "FORMERTEAM"] {
            let store = try await AccountTransactions.open(.sqlite(path))
            try await store.database.write { connection in
                _ = try connection.execute(
                    "INSERT INTO accounts (id, revision, created_at) VALUES (?1, 1, 1)", [.text(team.rawValue)])
                _ = try connection.execute(
                    """
                    INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                        created_at, last_sign_in_at)
                    VALUES (?1, ?1, 'apple', ?1, 'someone', ?2, ?2, 1, 1)
                    """, [.text(team.rawValue), .flag(false)])
            }
            try await store.database.close()
            let finding = try #require(await people())
            #expect(finding.outcome == (team == "FORMERTEAM" ? .warned : .passed))
            if team == "FORMERTEAM" {
                #expect(finding.code == "people_of_other_team" && finding.explanation.contains("`FORMERTEAM`"))
                #expect(finding.explanation.contains("transfer_not_completed") == !admits)
            }
        }
    }

    @Test("makes no tables, and leaves those of an older siwa as they are", arguments: CommandDatabase.engines)
    func changesNothing(on engine: String) async throws {
        try await CommandDatabase.with(engine) { database in
            let location = database.location
            if case .file(let path) = location { try Data().write(to: URL(filePath: path)) }
            var settings = DoctorSettings()
            settings.team = "JUICETEAM1"
            settings.people = { await location.people(besides: $0) }
            let check = TeamInDatabaseCheck(settings: settings)
            let ofEmpty = await check.findings()
            #expect(ofEmpty.map(\.outcome) == [.skipped])
            if case .file(let path) = location { #expect(try Data(contentsOf: URL(filePath: path)).isEmpty) }
            let empty = try await database.schemaState()
            #expect(empty == .empty)

            try await database.makeOlderTables()
            let ofOlder = await check.findings()
            #expect(ofOlder.map(\.outcome) == [.warned] && ofOlder.map(\.code) == ["people_not_checked"])
            #expect(ofOlder.first?.explanation.contains("older siwa") == true)
            #expect(ofOlder.first?.hints.first?.text.contains("start siwa serve") == true)
            let older = try await database.schemaState()
            #expect(older == .older)
        }
    }

    @Test(
        "refuses an invalid domain or selector",
        arguments: [
            ["--mail-domain", ""], ["--mail-domain", "example"], ["--mail-domain", "-a.b"], ["--mail-domain", "a..b"],
            ["--mail-domain", "a b.c"], ["--mail-domain", "ü.example.com"], ["--dkim-selector", "s1"],
            ["--mail-domain", "example.com", "--dkim-selector", "s 1"],
            ["--mail-domain", "example.com", "--dkim-selector", ""],
        ])
    func usage(arguments: [String]) throws {
        #expect(try Transcript.run(["doctor"] + arguments).status == 2)
    }

    @Test("reads the settings of siwa serve, and names the missing ones")
    func command() throws {
        let result = try Transcript.run(["doctor", "--emulator", "http://127.0.0.1:1"])
        try Transcript.expect("doctor-missing", result)
    }

    @Test("checks the mail if passwords are on, because a sign-up needs it")
    func passwords() throws {
        for (passwords, isLookedAt) in [("true", true), ("false", false)] {
            let result = try Transcript.run(
                ["doctor", "--emulator", "http://127.0.0.1:1"], environment: ["SIWA_PASSWORDS": passwords])
            #expect(result.output.contains("mail-url: is missing") == isLookedAt, "\(result.output)")
        }
    }

    @Test("prints JSON, and takes the secret from standard input")
    func json() throws {
        let result = try Transcript.run(
            ["doctor", "--json", "--client-secret-file", "-", "--emulator", "http://127.0.0.1:1"], input: "abc")
        #expect(result.status == 1)
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let checks = try #require(whole["checks"] as? [[String: Any]])
        #expect(checks.compactMap { $0["code"] as? String } == ["secret_malformed", "unreachable"])
    }

    @Test("names settings in its hints as siwa serve does", arguments: NamedSetting.allCases)
    func names(setting: NamedSetting) {
        #expect(Setting.ofService.contains { $0.name == setting.rawValue })
    }
}
