import AccountDatabase
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import Hummingbird
import Testing

@testable import AccountService
@testable import AppleIDEmulator
@testable import siwa

@Suite("siwa transfer", .timeLimit(.minutes(3)))
struct TransferCommandTests {
    private static let app: ClientID = "com.example.juice"

    /// An emulator that listens, a database with people of its first team, and a folder.
    private struct World {
        let emulator: Emulator
        let url: String
        let database: CommandDatabase
        let folder: URL
        /// The settings of each team's key.
        var settings: [String: String] {
            ["SIWA_EMULATOR": url, "SIWA_BUNDLE_ID": app.rawValue, "SIWA_DATABASE": database.address]
        }

        func key(of team: TeamID) throws -> [String: String] {
            let portal = try #require(emulator.portal.teams.first { $0.id == team })
            let key = try #require(portal.apps.first { $0.id == app }?.keys.first)
            return ["TEAM_ID": team.rawValue, "KEY_ID": key.id.rawValue, "PRIVATE_KEY": key.privateKey]
        }

        func siwa(_ arguments: String..., keys: [String: String]) throws -> Transcript.Result {
            try Transcript.run(["transfer"] + arguments, environment: settings.merging(keys) { $1 })
        }

        /// Begins a command, and kills it as soon as the database has come so far.
        func kill(
            _ arguments: String..., keys: [String: String], once isFarEnough: (TransferCounts) -> Bool
        ) async throws {
            let process = try Transcript.start(
                ["transfer"] + arguments, environment: settings.merging(keys) { $1 })
            try await database.withStore { store in
                while process.isRunning, try await !isFarEnough(store.transferCounts(to: "CIDERTEAM2")) {
                    await Task.yield()
                }
            }
            process.sendKill()
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "it was killed on the way")
        }

        func path(_ name: String) -> String { folder.appending(path: name).path }
    }

    /// - Parameter hidden: how many people, the first ones, use the app according to the service alone.
    private func withWorld(
        _ engine: String, people: Int, hiddenFromApple hidden: Int = 0,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let clock = TestClock(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)))
        var portal = Portal.seeded()
        portal.teams.append(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        portal.people += (0..<people).map { Portal.Person(id: "p\($0)", email: "p\($0)@example.com", name: "P") }
        let emulator = try await Emulator.forTests(clock: clock, portal: portal)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = emulator.application(port: 0) { port.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService(gracefulShutdownSignals: []) }
            var iterator = ports.makeAsyncIterator()
            let listening = await iterator.next()
            let number = try #require(listening)
            let url = "http://127.0.0.1:\(number)"
            try await emulator.move(to: url)
            try await CommandDatabase.with(engine) { database in
                let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-transfer-\(UUID())")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                try await database.withStore { store in
                    let all = emulator.portal.people.filter { $0.id.hasPrefix("p") }
                    for (number, person) in all.enumerated() {
                        if number >= hidden {
                            _ = try await emulator.authorize(
                                person: person.id, client: Self.app, hidesEmail: true, native: true)
                        }
                        _ = try await store.signIn(.of(person))
                    }
                    _ = try await store.bind(toIssuer: url)
                }
                try await body(World(emulator: emulator, url: url, database: database, folder: folder))
            }
            group.cancelAll()
        }
    }

    private func prefixed(_ key: [String: String], _ prefix: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: key.map { ("\(prefix)\($0.key)", $0.value) })
    }

    private func json(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("moves people on one database, from the first trial to nobody left", arguments: CommandDatabase.engines)
    func sameDatabase(on engine: String) async throws {
        try await withWorld(engine, people: 7) { world in
            let former = try world.key(of: "JUICETEAM1")
            let before = prefixed(former, "SIWA_")
            let counted = try world.siwa("export", "--to", "CIDERTEAM2", "--dry-run", keys: before)
            #expect(
                counted.status == 0 && counted.output == "7 people would be asked about.\n", "\(counted.complaints)")
            let trial = try world.siwa("export", "--to", "CIDERTEAM2", "--limit", "1", keys: before)
            #expect(
                trial.output
                    == "1 person got a transfer_sub for team CIDERTEAM2.\n6 are left for another run.\n",
                "\(trial.complaints)")
            let left = try world.siwa("status", "--people", "--to", "CIDERTEAM2", "--json", keys: before)
            let lines = try left.output.split(separator: "\n").map(json)
            #expect(lines.map { $0["state"] as? String } == ["exported"] + Array(repeating: "not_asked", count: 6))
            #expect(lines.allSatisfy { ($0["todo"] as? String)?.contains("sixty days") == true })
            let status = try world.siwa("status", "--to", "CIDERTEAM2", "--json", keys: before)
            #expect(status.status == 1)
            #expect(try json(status.output)["notAsked"] as? Int == 6)
            try await world.emulator.transfer(Self.app, to: "CIDERTEAM2")

            let after = try prefixed(world.key(of: "CIDERTEAM2"), "SIWA_")
                .merging(prefixed(former, "SIWA_FORMER_")) { $1 }
            let rest = try world.siwa("export", "--rate", "100", "--json", keys: after)
            #expect(rest.status == 0, "\(rest.complaints)")
            let answer = try json(rest.output)
            #expect(answer["exported"] as? Int == 6 && answer["failed"] as? Int == 0)
            #expect(answer["from"] as? String == "JUICETEAM1" && answer["to"] as? String == "CIDERTEAM2")
            let moved = try world.siwa("import", "--rate", "100", keys: after)
            #expect(moved.output == "7 people are moved to team CIDERTEAM2.\n" && moved.complaints.isEmpty)
            let done = try world.siwa("status", keys: after)
            #expect(done.status == 0)
            #expect(done.output == "To team CIDERTEAM2:\nnot asked  0\nexported   0\nmoved      7\nfailed     0\n")
            #expect(try world.siwa("status", "--people", keys: after).output.isEmpty)
            try await world.database.withStore { store in
                let teams = try await store.read { connection in
                    try connection.query(
                        "SELECT DISTINCT team FROM identities WHERE provider = 'apple' AND removed_at IS NULL", []
                    ) { try $0.text() }
                }
                #expect(teams == ["CIDERTEAM2"])
            }
        }
    }

    @Test("continues after it was killed, and loses and duplicates nobody", arguments: CommandDatabase.engines)
    func killed(on engine: String) async throws {
        // Apple refuses the people who come first.
        try await withWorld(engine, people: 60, hiddenFromApple: 6) { world in
            let former = try world.key(of: "JUICETEAM1")
            let before = prefixed(former, "SIWA_")
            for goal in [8, 20, 35] {
                try await world.kill("export", "--to", "CIDERTEAM2", "--rate", "30", keys: before) {
                    $0.exported >= goal
                }
            }
            let rest = try world.siwa("export", "--to", "CIDERTEAM2", "--rate", "200", keys: before)
            #expect(rest.status == 1 && rest.output.contains("\n6 failed; "), "\(rest.complaints)")
            try await world.emulator.transfer(Self.app, to: "CIDERTEAM2")
            let after = try prefixed(world.key(of: "CIDERTEAM2"), "SIWA_")
            for goal in [8, 20, 35] {
                try await world.kill("import", "--rate", "30", keys: after) { $0.moved >= goal }
            }
            let moved = try world.siwa("import", "--rate", "200", keys: after)
            #expect(moved.status == 0, "\(moved.complaints)")
            let people = world.emulator.portal.people.filter { $0.id.hasPrefix("p") }.dropFirst(6)
            let expected = Set(people.map { PairwiseIdentity(person: $0, team: "CIDERTEAM2").subject.rawValue })
            try await world.database.withStore { store in
                let subjects = try await store.read { connection in
                    try connection.query("SELECT subject FROM identities WHERE team = 'CIDERTEAM2'", []) {
                        try $0.text()
                    }
                }
                #expect(subjects.count == 54 && Set(subjects) == expected)
                let count = try await store.accountCount()
                #expect(count == 60)
            }
        }
    }

    @Test("hands people over in a sealed file, which opens for its recipient alone")
    func sealedFile() async throws {
        let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
        let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
        try await withWorld("SQLite", people: 3) { world in
            let before = try prefixed(world.key(of: "JUICETEAM1"), "SIWA_")
            let file = world.path("people.age")
            let sent = try world.siwa(
                "export", "--to", "CIDERTEAM2", "--rate", "100", "--output", file, "--seal-to", recipient, keys: before)
            #expect(sent.status == 0, "\(sent.complaints)")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let printed = try world.siwa("export", "--to", "CIDERTEAM2", "--output", "-", keys: before)
            let lines = printed.output.split(separator: "\n")
            #expect(lines.count == 4 && lines.last == "{\"people\":3}")
            #expect(printed.complaints.contains("0 people got a transfer_sub"))
            #expect(printed.complaints.contains("3 people are in the file. Its SHA-256 is \(printed.output.sha256)."))
            #expect(
                try lines.dropLast().allSatisfy {
                    Set(try json($0).keys) == ["account", "identity", "transfer_sub", "from", "to"]
                })
            let plain = world.path("people.jsonl")
            try await world.emulator.transfer(Self.app, to: "CIDERTEAM2")

            let after = try prefixed(world.key(of: "CIDERTEAM2"), "SIWA_")
            let other = world.path("other.sqlite")
            try await CommandDatabase(address: other).withStore { _ = try await $0.bind(toIssuer: world.url) }
            try Data("# a key\n\(secret)\n".utf8).write(to: URL(filePath: world.path("key.txt")))
            func take(_ more: String...) throws -> Transcript.Result {
                var environment = world.settings.merging(after) { $1 }
                environment["SIWA_DATABASE"] = other
                return try Transcript.run(["transfer", "import", file] + more, environment: environment)
            }
            let closed = try take()
            #expect(closed.status == 1 && closed.complaints.contains("is sealed with age\nhint: "))
            let looked = try take("--identity-file", world.path("key.txt"), "--dry-run")
            #expect(looked.output == "3 people in the file, 3 of them new here.\n3 people would be asked about.\n")
            let taken = try take("--identity-file", world.path("key.txt"), "--rate", "100")
            #expect(
                taken.output == "3 people in the file, 3 of them new here.\n3 people are moved to team CIDERTEAM2.\n",
                "\(taken.complaints)")
            try await CommandDatabase(address: other).withStore { store in
                let count = try await store.accountCount()
                #expect(count == 3)
            }
            // A file that was cut at the end of a line is not taken for a complete one.
            try Data(lines.prefix(2).map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: plain))
            var environment = world.settings.merging(after) { $1 }
            environment["SIWA_DATABASE"] = other
            let cut = try Transcript.run(["transfer", "import", plain], environment: environment)
            #expect(cut.status == 1 && cut.complaints.contains("is not complete"))
        }
    }

    @Test("replaces a second account by the former one, after the operator has confirmed it")
    func replacing() async throws {
        try await withWorld("SQLite", people: 2) { world in
            let before = try prefixed(world.key(of: "JUICETEAM1"), "SIWA_")
            _ = try world.siwa("export", "--to", "CIDERTEAM2", "--rate", "100", keys: before)
            try await world.emulator.transfer(Self.app, to: "CIDERTEAM2")
            let after = try prefixed(world.key(of: "CIDERTEAM2"), "SIWA_")
            let person = try #require(world.emulator.portal.people.first { $0.id == "p0" })
            let second = try await world.database.withStore { store in
                var record = SignInRecord.of(person)
                record.person.team = "CIDERTEAM2"
                record.person.subject = PairwiseIdentity(person: person, team: "CIDERTEAM2").subject
                record.session.secretHash = TokenHash(of: "second")
                return try await store.signIn(record).account.id.rawValue
            }
            let failed = try world.siwa("import", "--rate", "100", keys: after)
            #expect(failed.status == 1 && failed.output.contains("\n1 failed; "), "\(failed.complaints)")
            let listed = try world.siwa("status", "--people", keys: after)
            #expect(listed.output.contains("account_exists: ") && listed.output.contains("--replacing ACCOUNT --yes"))
            let asked = try world.siwa("import", "--replacing", second, keys: after)
            #expect(asked.status == 1 && asked.complaints.contains("error: nothing was moved; the import would delete"))
            let moved = try world.siwa("import", "--replacing", second, "--yes", "--rate", "100", keys: after)
            #expect(moved.status == 0, "\(moved.complaints)")
            #expect(
                moved.output == "1 person is moved to team CIDERTEAM2.\n"
                    + "\(second) is deleted: its person has the account from before instead.\n")
            let gone = try world.siwa("import", "--replacing", second, "--yes", keys: after)
            #expect(gone.status == 1 && gone.complaints.contains("error: there is no account"))
            let other = try await world.database.withStore { store in
                try await store.accounts(after: nil, limit: 1).first?.id.rawValue
            }
            let useless = try world.siwa(
                "import", "--replacing", try #require(other), "--yes", "--rate", "100", keys: after)
            #expect(useless.status == 1 && useless.complaints.contains("was not replaced: nobody"))
        }
    }

    @Test("forgets a transfer that doesn't take place, after the operator has confirmed it")
    func forgetting() async throws {
        try await withWorld("SQLite", people: 3) { world in
            let before = try prefixed(world.key(of: "JUICETEAM1"), "SIWA_")
            _ = try world.siwa("export", "--to", "CIDERTEAM2", "--rate", "100", keys: before)
            let asked = try Transcript.run(
                ["transfer", "forget", "--to", "CIDERTEAM2", "--database", world.database.address])
            #expect(
                asked.status == 1 && asked.complaints.contains("error: nothing was forgotten; it would be 3 people"))
            let forgotten = try Transcript.run(
                ["transfer", "forget", "--to", "CIDERTEAM2", "--yes", "--database", world.database.address])
            #expect(forgotten.output == "3 people are no longer on the way to team CIDERTEAM2.\n")
            let counted = try world.siwa("export", "--to", "CIDERTEAM2", "--dry-run", keys: before)
            #expect(counted.output == "3 people would be asked about.\n")
        }
    }

    @Test("leaves no draft of a file behind, and deletes no file of others")
    func drafts() async throws {
        try await withWorld("SQLite", people: 1) { world in
            let before = try prefixed(world.key(of: "JUICETEAM1"), "SIWA_")
            let folder = world.path("folder")
            // The draft can't take the place of a folder.
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: URL(filePath: folder + "/mine"))
            let failed = try world.siwa(
                "export", "--to", "CIDERTEAM2", "--rate", "100", "--output", folder, keys: before)
            #expect(failed.status == 1 && failed.complaints.contains("cannot be written"))
            #expect(!FileManager.default.fileExists(atPath: folder + ".new"))

            let draft = world.path("people.jsonl.new")
            try Data("mine".utf8).write(to: URL(filePath: draft))
            let stopped = try world.siwa(
                "export", "--to", "CIDERTEAM2", "--rate", "100", "--output", world.path("people.jsonl"), keys: before)
            #expect(stopped.status == 1 && stopped.complaints.contains("is in the way\nhint: "))
            #expect(FileManager.default.contents(atPath: draft) == Data("mine".utf8))
        }
    }

    @Test(
        "says how fast it is and how long it will take",
        arguments: [
            (TransferProgress(total: 100, rate: 5), 0.0, "5/s"),
            (TransferProgress(done: 10, total: 100, rate: 5), 2.0, "5/s, 18 s left"),
            (TransferProgress(done: 50, failed: 3, total: 100, rate: 0.25), 100.0, "0.3/s, 100 s left, 3 failed"),
        ])
    func progress(_ progress: TransferProgress, seconds: Double, note: String) {
        #expect(progress.note(after: seconds) == note)
    }

    @Test("reports mistakes before it asks Apple about people")
    func problems() async throws {
        try await withWorld("SQLite", people: 6) { world in
            let before = try prefixed(world.key(of: "JUICETEAM1"), "SIWA_")
            let missing = try world.siwa("export", keys: before)
            #expect(missing.status == 2 && missing.complaints.contains("error: --to is missing"))
            let own = try world.siwa("export", "--to", "JUICETEAM1", keys: before)
            #expect(own.status == 2 && own.complaints.contains("error: --to is the team of the settings"))
            let wrong = try world.siwa("export", "--to", "NOSUCHTEAM", "--rate", "100", keys: before)
            #expect(wrong.status == 1)
            #expect(wrong.complaints.contains("error: Apple refused the first 5 people, and nobody else"))
            let listed = try world.siwa("status", "--people", "--to", "NOSUCHTEAM", "--json", keys: before)
            let lines = try listed.output.split(separator: "\n").map(json)
            #expect(lines.map { $0["state"] as? String } == Array(repeating: "failed", count: 5) + ["not_asked"])
            #expect(lines.prefix(5).allSatisfy { $0["failure"] as? String == "apple_refused" })
            let half = try world.siwa("import", keys: before.merging(["SIWA_FORMER_KEY_ID": "X"]) { $1 })
            #expect(half.status == 2 && half.complaints.contains("former-team-id: is missing"))
            let same = try world.siwa("import", keys: before.merging(["SIWA_FORMER_TEAM_ID": "JUICETEAM1"]) { $1 })
            #expect(same.status == 2 && same.complaints.contains("former-team-id: is the same as"))
            for rate in ["1e-300", "0.05", "1001", "nan"] {
                let refused = try world.siwa("export", "--to", "CIDERTEAM2", "--rate", rate, keys: before)
                #expect(refused.status == 2 && refused.complaints.contains("--rate is 0.1 to 1000."), "\(rate)")
            }
            for arguments in [
                ["--rate", "0"], ["--limit", "0"], ["--seal-to", "age1x"], ["--json", "--output", "-"],
            ] {
                let refused = try Transcript.run(["transfer", "export", "--to", "X"] + arguments)
                #expect(refused.status == 2, "\(arguments)")
            }
        }
    }
}

extension Process {
    /// Ends the process without letting it finish anything.
    func sendKill() {
        guard isRunning else { return }
        kill(processIdentifier, SIGKILL)
    }
}

extension String {
    fileprivate var sha256: String {
        SHA256.hash(data: Data(utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension SignInRecord {
    /// A person as they sign in to a service of the first team.
    fileprivate static func of(_ person: Portal.Person) -> SignInRecord {
        let moment = Timestamp(Date())
        func bytes() -> [UInt8] { (0..<10).map { _ in UInt8.random(in: .min ... .max) } }
        return SignInRecord(
            at: moment, used: [],
            person: Person(
                team: "JUICETEAM1", subject: PairwiseIdentity(person: person, team: "JUICETEAM1").subject,
                email: person.email, emailVerified: true, isPrivateEmail: false, realUserStatus: nil),
            newAccountID: AccountID(at: moment, randomness: bytes()),
            newIdentityID: IdentityID(at: moment, randomness: bytes()),
            name: nil, openPendingProfile: { _ in nil }, appleToken: nil,
            session: NewSession(
                id: SessionID(at: moment, randomness: bytes()), kind: .tokens, clientID: "com.example.juice",
                secretHash: TokenHash(of: person.id), authenticatedAt: moment, expiresAt: moment + .seconds(86_400)),
            formerSession: nil)
    }
}
