import AccountDatabase
import AccountService
import AppleIDTypes
import CommandIO
import Foundation
import Logging
import Testing

@testable import PeopleFiles
@testable import siwa

#if PostgreSQL
    import AccountPostgres
#endif

@Suite("siwa import", .timeLimit(.minutes(3)))
struct ImportCommandTests {
    private static let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    private static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

    private struct World {
        let database: CommandDatabase
        let folder: URL
        let environment: [String: String]

        func path(_ name: String) -> String { folder.appending(path: name).path }

        func siwa(_ arguments: String...) throws -> Transcript.Result {
            try Transcript.run(arguments, environment: environment)
        }
    }

    private func withWorld(_ engine: String, _ body: (World) async throws -> Void) async throws {
        try await CommandDatabase.with(engine) { database in
            let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-import-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let ring = "k1:" + Data(repeating: 7, count: 32).base64EncodedString()
            try await body(
                World(
                    database: database, folder: folder,
                    environment: [
                        "SIWA_DATABASE": database.address, "SIWA_TEAM_ID": "JUICETEAM1", "SIWA_KEY_RING": ring,
                        "SIWA_BUNDLE_ID": "com.example.juice",
                    ]))
        }
    }

    @Test("a dry run needs the file alone, makes no database, and says that nobody has Apple")
    func dryRun() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-nowhere-\(UUID())").path
        let result = try Transcript.run(
            [
                "import", "--from", "firebase", ImportFixtures.path("firebase.json"), "--hash-config",
                ImportFixtures.path("firebase-hash.txt"), "--dry-run", "--database", folder,
            ])
        #expect(!FileManager.default.fileExists(atPath: folder))
        try Transcript.expect("import-dry-run", result)
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").last?.hasPrefix("3 people: ") == true)
    }

    @Test(
        "a dry run makes nothing in an empty database, and refuses the tables of an older siwa",
        arguments: CommandDatabase.engines)
    func emptyDatabase(on engine: String) async throws {
        try await withWorld(engine) { world in
            let storage = world.database.location.storage
            let arguments = ["import", "--from", "auth0", ImportFixtures.path("auth0-users.ndjson"), "--dry-run"]
            if case .file(let path) = world.database.location { try Data().write(to: URL(filePath: path)) }
            let result = try Transcript.run(arguments, environment: world.environment)
            #expect(result.status == 0 && result.output.hasPrefix("line 3: "), "\(result.complaints)")
            if case .file(let path) = world.database.location {
                #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
            }
            let database = try await storage.open(Logger(label: "test"))
            #expect(try await database.schemaState(of: AccountSchema.migrations) == .empty)
            try await database.migrate(Array(AccountSchema.migrations.dropLast()), at: 0)
            try await database.close()
            let refused = try Transcript.run(arguments, environment: world.environment)
            #expect(refused.status == 1 && refused.complaints.contains("older siwa"), "\(refused.complaints)")
        }
    }

    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs")

    @Test(
        "the guides show what a dry run says",
        arguments: [
            ("firebase", "firebase.json", ["--hash-config", ImportFixtures.path("firebase-hash.txt")], "import.md"),
            (
                "firebase", "firebase-admin.json", ["--hash-config", ImportFixtures.path("firebase-hash.txt")],
                "import-firebase.md"
            ),
            ("supabase", "supabase.csv", [String](), "import-supabase.md"),
            ("auth0", "auth0-users.ndjson", [String](), "import-auth0.md"),
            ("serverpod", "serverpod.csv", [String](), "import-serverpod.md"),
            ("csv", "people.csv", ["--mapping", ImportFixtures.path("mapping.json")], "import-csv.md"),
        ])
    func pictures(format: String, file: String, more: [String], page: String) throws {
        let result = try Transcript.run(
            ["import", "--from", format, ImportFixtures.path(file), "--dry-run", "--database", "/nowhere/siwa.sqlite"]
                + more)
        #expect(result.status == 0)
        let text = try String(contentsOf: Self.docs.appending(path: page), encoding: .utf8)
        #expect(text.contains("```\n\(result.output)```"), "\(result.output)\(result.complaints)")
    }

    @Test(
        "every fault of a file is listed, and the rest is imported", arguments: CommandDatabase.engines)
    func faults(on engine: String) async throws {
        try await withWorld(engine) { world in
            let long = String(repeating: "x", count: 3_000_000)
            let lines = [
                "{\"user_id\":\"auth0|1\",\"email\":\"one@example.com\",\"email_verified\":true}",
                "{\"user_id\":\"auth0|1\",\"email\":\"one@example.com\",\"email_verified\":true}",
                "{\"user_id\":\"apple|s1\"}",
                "{\"user_id\":\"apple|x\",\"identities\":[{\"provider\":\"apple\",\"user_id\":\"s1\"}]}",
                "{\"user_id\":\"auth0|2\",\"email\":\"no address\"}", "{\"email\":\"x@example.com\"}", "nonsense",
                "{\"user_id\":\"auth0|3\",\"name\":\"\(long)\"}", "{\"user_id\":\"auth0|4\",\"user_id\":\"auth0|5\"}",
                "{\"user_id\":\"auth0|6\",\"email\":\"six@example.com\"}",
            ]
            var bytes = Array(lines.joined(separator: "\n").utf8)
            bytes += Array("\n{\"user_id\":\"auth0|7\",\"name\":\"".utf8) + [0xE9, 0x22, 0x7D, 0x0A]
            try Data(bytes).write(to: URL(filePath: world.path("people.ndjson")))
            let dry = try world.siwa("import", "--from", "auth0", world.path("people.ndjson"), "--dry-run")
            let result = try world.siwa("import", "--from", "auth0", world.path("people.ndjson"))
            #expect(result.status == 0 && result.complaints.isEmpty)
            #expect(
                result.output.replacing(/at byte \d+ of/, with: "at byte N of") == """
                    line 2: auth0|1 is in the file twice
                    line 4: apple|x has an identity of another person of this service
                    line 5: has an invalid email address
                    line 6: has no user_id
                    line 7: isn't valid JSON, at byte N of the object
                    line 8: is longer than 1 MiB
                    line 9: names a member twice
                    line 11: isn't in UTF-8
                    11 people: 3 new, 1 in the file twice, 6 unreadable, 1 with an identity of another person, \
                    2 must choose a new password

                    """)
            #expect(dry.output.replacing("would be new", with: "new") == result.output)
            let again = try world.siwa("import", "--from", "auth0", world.path("people.ndjson"), "--json")
            let answer = try #require(
                try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
            #expect(answer["new"] as? Int == 0 && answer["here"] as? Int == 3)
        }
    }

    @Test("a dry run prints its counts as JSON")
    func dryRunJSON() throws {
        let result = try Transcript.run(
            [
                "import", "--from", "firebase", ImportFixtures.path("firebase.json"), "--dry-run", "--json",
                "--database", "/nowhere/siwa.sqlite",
            ])
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(result.status == 0 && answer["dryRun"] as? Bool == true && answer["people"] as? Int == 3)
        let leftOut = try #require(answer["leftOut"] as? [String: Any])
        #expect(leftOut["no_way_in"] as? Int == 1 && leftOut.count == 1 && answer["new"] as? Int == 2)
    }

    @Test("Apple's tokens of Serverpod belong to one client, so an import asks for it")
    func severalClients() throws {
        let result = try Transcript.run(
            [
                "import", "--from", "serverpod", ImportFixtures.path("serverpod.csv"), "--dry-run", "--database",
                "/nowhere/siwa.sqlite", "--bundle-id", "com.example.juice", "--bundle-id", "com.example.tea",
            ])
        #expect(result.status == 2 && result.complaints.contains("--bundle-id"), "\(result.complaints)")
    }

    @Test("a file that was cut off ends with status 1, and the people before are kept")
    func cutOff() async throws {
        try await withWorld("SQLite") { world in
            let text = "[{\"user_id\":\"auth0|1\",\"email\":\"a@example.com\",\"email_verified\":true},\n{\"user"
            try Data(text.utf8).write(to: URL(filePath: world.path("cut.json")))
            let result = try world.siwa("import", "--from", "auth0", world.path("cut.json"))
            #expect(
                result.status == 1
                    && result.output.hasSuffix("2 people: 1 new, 1 unreadable, 1 must choose a new password\n"))
            #expect(result.complaints.contains("is cut off"))
            let people = try await world.database.withStore { try await $0.accountCount() }
            #expect(people == 1)
        }
    }

    @Test("a run that was killed continues, and loses and duplicates nobody", arguments: CommandDatabase.engines)
    func killed(on engine: String) async throws {
        try await withWorld(engine) { world in
            let count = 6_000
            let lines = (0..<count).map {
                "{\"user_id\":\"auth0|\($0)\",\"email\":\"p\($0)@example.com\",\"email_verified\":true}\n"
            }
            try Data(lines.joined().utf8).write(to: URL(filePath: world.path("people.ndjson")))
            // The command waits for more people, so it can't end before it is killed.
            let input = Pipe()
            let process = try Transcript.start(
                ["import", "--from", "auth0", "-"], input: input, environment: world.environment)
            try input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
            try await world.database.withStore { store in
                while process.isRunning, try await store.accountCount() < 1_000 { await Task.yield() }
            }
            process.sendKill()
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "it was killed on the way")
            let rest = try world.siwa("import", "--from", "auth0", world.path("people.ndjson"), "--json")
            #expect(rest.status == 0, "\(rest.complaints)")
            let answer = try #require(
                try JSONSerialization.jsonObject(with: Data(rest.output.utf8)) as? [String: Any])
            let (here, new) = (answer["here"] as? Int ?? 0, answer["new"] as? Int ?? 0)
            #expect(here >= 1_000 && here + new == count)
            try await world.database.withStore { store in
                let accounts = try await store.accountCount()
                #expect(accounts == count)
            }
        }
    }

    @Test(
        "an export is sealed, imported into an empty database, and exported again", arguments: CommandDatabase.engines)
    func roundTrip(on engine: String) async throws {
        try await withWorld(engine) { world in
            try Data("\(Self.secret)\n".utf8).write(to: URL(filePath: world.path("key.txt")))
            for (format, file) in [("serverpod", "serverpod.csv"), ("auth0", "auth0-hashes.ndjson")] {
                let result = try world.siwa("import", "--from", format, ImportFixtures.path(file))
                #expect(result.status == 0, "\(result.complaints)")
            }
            let ring = try KeyRing(parsing: world.environment["SIWA_KEY_RING"] ?? "")
            try await world.database.withStore { store in
                try await PersonImport(store: store, keyRing: ring).forget(
                    [ForgottenPerson(source: "auth0", hash: TokenHash(of: "deleted"))])
            }
            let export = ["accounts", "export", "--all", "--output"]
            func exported(_ world: World, _ name: String, sealed: Bool) throws -> [UInt8] {
                let result = try Transcript.run(
                    export + [world.path(name)] + (sealed ? ["--seal-to", Self.recipient] : []),
                    environment: world.environment)
                #expect(result.status == 0, "\(result.complaints)")
                let bytes = Array(try Data(contentsOf: URL(filePath: world.path(name))))
                guard sealed else { return bytes }
                var opener = AgeOpener(identity: try AgeIdentity(fileText: Self.secret))
                return try opener.open(bytes, isLast: true)
            }
            // Both services have the verified address of one person.
            let plain = String(decoding: try exported(world, "plain", sealed: false), as: UTF8.self)
            #expect(!plain.contains("$2b$") && !plain.contains("r.token-of-johnny") && plain.contains("euclid"))
            let first = try exported(world, "first.age", sealed: true)
            let text = String(decoding: first, as: UTF8.self)
            #expect(
                text.contains("$2b$04$") && text.contains("r.token-of-johnny") && text.hasSuffix("{\"people\":3}\n"))
            #expect(text.contains("{\"forgotten\":") && text.contains("\"imported\":"))
            try await withWorld(engine) { other in
                let refused = try other.siwa("import", "--from", "siwa", world.path("first.age"))
                #expect(refused.status == 1 && refused.complaints.contains("--identity-file"))
                for expected in ["3 people: 3 new\n", "3 people: 3 here already\n"] {
                    let result = try other.siwa(
                        "import", "--from", "siwa", world.path("first.age"), "--identity-file", world.path("key.txt"))
                    #expect(result.output == expected, "\(result.complaints)")
                }
                #expect(try exported(other, "second.age", sealed: true) == first)
                let cut = Array(text.utf8.dropLast(20))
                try Data(cut).write(to: URL(filePath: other.path("cut")))
                let incomplete = try other.siwa("import", "--from", "siwa", other.path("cut"), "--dry-run")
                #expect(incomplete.status == 1 && incomplete.complaints.contains("not complete"))
                #expect(incomplete.output.contains("3 here already"), "what was read is in the report")
            }
        }
    }
}

/// Files in the forms of other services, which the tests of `PeopleFiles` read, too.
private enum ImportFixtures {
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "PeopleFilesTests/Import/Fixtures/\(name)").path
    }
}

#if PostgreSQL
    @Suite("siwa import from a database", .timeLimit(.minutes(3)))
    struct ImportFromDatabaseTests {
        @Test("people of Supabase are read from its tables, page by page")
        func supabase() async throws {
            let address = try await PostgresServeTests.schema()
            let database = try await AccountStorage.postgres(address, connections: 1).open(Logger(label: "test"))
            try await database.write { connection in
                for statement: SQLStatement in [
                    "DROP SCHEMA IF EXISTS auth CASCADE", "CREATE SCHEMA auth",
                    """
                    CREATE TABLE auth.users (id uuid PRIMARY KEY, email text, encrypted_password text,
                        email_confirmed_at timestamptz, banned_until timestamptz, raw_user_meta_data jsonb,
                        created_at timestamptz, last_sign_in_at timestamptz, deleted_at timestamptz)
                    """,
                    """
                    CREATE TABLE auth.identities (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid,
                        provider text, provider_id text, identity_data jsonb)
                    """,
                    """
                    INSERT INTO auth.users SELECT gen_random_uuid(), 'p' || n || '@example.com', NULL, now(), NULL,
                        '{"full_name": "Person"}', now(), NULL, CASE WHEN n > 900 THEN now() END
                    FROM generate_series(1, 901) AS n
                    """,
                    """
                    INSERT INTO auth.identities (user_id, provider, provider_id, identity_data)
                    SELECT id, 'apple', 'sub-of-' || email, '{"email_verified": true}' FROM auth.users
                    """,
                ] { try connection.execute(statement) }
            }
            try await database.close()
            let result = try Transcript.run(
                ["import", "--from", "supabase", address, "--dry-run", "--database", "/nowhere/siwa.sqlite"])
            #expect(result.output == "900 people: 900 would be new\n", "\(result.complaints)")
            try await CommandDatabase.with("SQLite") { accounts in
                let taken = try Transcript.run(
                    ["import", "--from", "supabase", address],
                    environment: [
                        "SIWA_DATABASE": accounts.address, "SIWA_TEAM_ID": "JUICETEAM1",
                        "SIWA_KEY_RING": "k1:" + Data(repeating: 7, count: 32).base64EncodedString(),
                    ])
                #expect(taken.output == "900 people: 900 new\n", "\(taken.complaints)")
            }
            let refused = try Transcript.run(["import", "--from", "auth0", address, "--dry-run"])
            #expect(refused.status == 2)
        }

        @Test("people of Serverpod are read from its tables")
        func serverpod() async throws {
            let address = try await PostgresServeTests.schema()
            let database = try await AccountStorage.postgres(address, connections: 1).open(Logger(label: "test"))
            try await database.write { connection in
                for statement: SQLStatement in [
                    """
                    CREATE TABLE serverpod_auth_core_user (id uuid PRIMARY KEY, "createdAt" timestamp NOT NULL,
                        "scopeNames" json NOT NULL DEFAULT '[]', blocked boolean NOT NULL)
                    """,
                    """
                    CREATE TABLE serverpod_auth_core_profile (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                        "authUserId" uuid NOT NULL, "userName" text, "fullName" text, email text)
                    """,
                    """
                    CREATE TABLE serverpod_auth_idp_apple_account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                        "userIdentifier" text NOT NULL, "refreshToken" text NOT NULL,
                        "refreshTokenRequestedWithBundleIdentifier" boolean NOT NULL, "authUserId" uuid NOT NULL,
                        email text, "isEmailVerified" boolean, "isPrivateEmail" boolean, "firstName" text,
                        "lastName" text)
                    """,
                    """
                    CREATE TABLE serverpod_auth_idp_email_account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                        "authUserId" uuid NOT NULL, email text NOT NULL, "passwordHash" text NOT NULL)
                    """,
                    """
                    INSERT INTO serverpod_auth_core_user
                    SELECT CAST('00000000-0000-7000-8000-' || to_char(n, 'FM000000000000') AS uuid), now(), '[]', n = 2
                    FROM generate_series(1, 2) AS n
                    """,
                    """
                    INSERT INTO serverpod_auth_idp_apple_account ("userIdentifier", "refreshToken",
                        "refreshTokenRequestedWithBundleIdentifier", "authUserId", "firstName")
                    SELECT 'sub-' || n, 'r.token', TRUE, id, 'Johnny'
                    FROM serverpod_auth_core_user, generate_series(1, 2) AS n WHERE NOT blocked
                    """,
                    """
                    INSERT INTO serverpod_auth_idp_email_account ("authUserId", email, "passwordHash")
                    SELECT id, 'two@example.com', 'argon2' FROM serverpod_auth_core_user WHERE blocked
                    """,
                ] { try connection.execute(statement) }
            }
            try await database.close()
            var context = ImportContext(team: "JUICETEAM1", now: Timestamp(microseconds: 1_767_225_600_000_000))
            context.bundleID = "com.example.juice"
            var people = try await PeopleFile(
                .postgres(address, connections: 1), of: .serverpod, context, logger: Logger(label: "test"))
            let read = try #require(try await people.next(10)).compactMap { entry -> ImportedPerson? in
                guard case .person(let person) = entry else { return nil }
                return person
            }
            try await people.close()
            // Two Apple Accounts of one person are two rows.
            #expect(read.map { $0.identities.map(\.provider) } == [[.apple], [.apple], [.email]])
            #expect(
                read[0].identities[0].appleTokens.map(\.token) == ["r.token"] && read[0].name?.givenName == "Johnny")
            #expect(read[2].isDisabled && read[2].identities[0].password == .unknown)
        }
    }
#endif
