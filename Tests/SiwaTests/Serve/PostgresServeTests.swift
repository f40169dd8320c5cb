#if PostgreSQL
    import Foundation
    import Testing

    @testable import AccountPostgres

    @Suite("siwa serve on PostgreSQL")
    struct PostgresServeTests {
        /// The server that `Tests/with-postgres` has started.
        private static func server() throws -> String {
            try #require(
                ProcessInfo.processInfo.environment["SIWA_POSTGRES"],
                "these tests need a server; `make unit` starts one, and so does Tests/with-postgres")
        }

        /// Runs text as the server's superuser.
        private static func run(_ text: String) async throws {
            let address = try server()
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                // libpq blocks.
                Thread {
                    caller.resume(
                        with: Result {
                            try PostgresLink(PostgresParameters(address), until: .now + .seconds(60)).run(
                                text: text, until: .now + .seconds(60))
                        })
                }.start()
            }
        }

        /// A name that no other test has.
        private static func name() -> String { "serve_\(UInt64.random(in: 1 ... .max))" }

        /// The address of a schema of its own, which is as good as a database of its own.
        static func schema(_ more: String = "") async throws -> String {
            let name = name()
            try await run("CREATE SCHEMA \(name)")
            return try "\(server())?options=-csearch_path%3D\(name)\(more)"
        }

        /// Starts the server as far as it gets: the address to listen on is nobody's, so it ends once the database is
        /// open.
        private func serve(
            _ database: String, _ arguments: [String] = [], _ changes: [String: String] = [:]
        ) throws -> Transcript.Result {
            var environment = try ServeSettingsTests.good()
            environment["SIWA_PUBLIC_URL"] = "http://localhost:4000"
            environment["SIWA_DATABASE"] = database
            environment["SIWA_DATABASE_CONNECTIONS"] = "2"
            environment["SIWA_HOST"] = "203.0.113.1"
            // Otherwise the server warns that other machines reach it.
            environment["SIWA_TRUSTED_PROXY"] = "203.0.113.7"
            return try Transcript.run(
                ["serve"] + arguments, environment: environment.merging(changes) { $1 })
        }

        private func expectOpened(_ result: Transcript.Result, location: SourceLocation = #_sourceLocation) {
            #expect(result.complaints.contains("annot assign requested address"), sourceLocation: location)
        }

        @Test("accepts valid addresses, and opens no connection to check them")
        func check() throws {
            for address in [
                "postgres://siwa:hunter2@127.0.0.1:1/siwa", "postgresql:///siwa?host=/var/run/postgresql",
                "postgres://siwa@db.example.com/siwa?sslmode=verify-full",
            ] {
                let result = try serve(address, ["--check"])
                #expect(result.status == 0)
                #expect(result.output.hasSuffix("\nThe settings are good.\n") && result.complaints.isEmpty)
                #expect(!result.output.contains("hunter2"))
            }
        }

        @Test(
            "says what is wrong with an address without showing it",
            arguments: [
                ("postgres://siwa:hunter2@db.example.com/siwa?sslmode=require", "verify-full"),
                ("postgres://siwa:hunter2@db.example.com/siwa?nonsense=hunter2", "can read"),
                ("postgres://siwa:hunter2@[::1/siwa", "can read"),
            ])
        func wrong(address: String, reason: String) throws {
            for arguments in [["--check"], []] {
                let result = try serve(address, arguments)
                #expect(result.status == 2)
                #expect(result.complaints.hasPrefix("error: database: "))
                #expect(result.complaints.contains(reason))
                #expect(!result.complaints.contains("hunter2"))
            }
        }

        @Test(
            "logs in with the password in a file, and says that PostgreSQL refuses another one",
            arguments: [
                ("right", true), ("wrong", false),
            ])
        func passwordFile(password: String, isRight: Bool) async throws {
            let asked = Self.name()
            try await Self.run(
                "CREATE ROLE \(asked) LOGIN PASSWORD 'right' IN ROLE asked; CREATE SCHEMA \(asked) AUTHORIZATION \(asked)"
            )
            let server = try #require(URL(string: try Self.server()))
            let place = "\(try #require(server.host)):\(try #require(server.port))"
            let file = FileManager.default.temporaryDirectory.appending(path: asked)
            try Data("\(password)\n".utf8).write(to: file)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
            // The file goes before the environment of PostgreSQL's own programs.
            let result = try serve(
                "postgres://\(asked)@\(place)/postgres?options=-csearch_path%3D\(asked)",
                ["--database-password-file", file.path], ["PGPASSWORD": isRight ? "wrong" : "right"])
            if isRight {
                expectOpened(result)
            } else {
                #expect(result.status == 1 && result.complaints.contains("password authentication failed"))
            }
        }

        @Test("makes its tables at the first start, and finds them at the next; another Apple server's are refused")
        func migrations() async throws {
            let address = try await Self.schema()
            expectOpened(try serve(address))
            expectOpened(try serve(address))
            let other = try serve(address, ["--emulator", "http://127.0.0.1:4010"])
            #expect(other.status == 1)
            #expect(other.complaints.contains("error: this database belongs to apple"))
            #expect(other.complaints.contains("hint: "))
            let ring = try serve(
                address, [], ["SIWA_KEY_RING": "k2:" + Data(repeating: 2, count: 32).base64EncodedString()])
            #expect(ring.complaints.contains("error: the key ring lacks key `k1`"))
        }

        @Test("says that a newer program has used the database")
        func newer() async throws {
            let name = Self.name()
            try await Self.run(
                """
                CREATE SCHEMA \(name); CREATE TABLE \(name).migrations (name TEXT NOT NULL PRIMARY KEY);
                INSERT INTO \(name).migrations (name) VALUES ('from the future')
                """)
            let result = try serve("\(Self.server())?options=-csearch_path%3D\(name)")
            #expect(result.status == 1)
            #expect(result.complaints.contains("newer version"))
            #expect(result.complaints.contains("hint: run the newer siwa"))
        }

        @Test("doesn't start if the database could lose committed data")
        func synchronousCommit() async throws {
            let result = try serve(try await Self.schema("%20-csynchronous_commit%3Doff"))
            #expect(result.status == 1)
            #expect(result.complaints.contains("error: The database has synchronous_commit=off"))
        }

        @Test("distinguishes a missing server, database or right from a wrong password, and shows no password")
        func refused() async throws {
            let (stranger, asked) = (Self.name(), Self.name())
            try await Self.run(
                "CREATE ROLE \(stranger) LOGIN; CREATE ROLE \(asked) LOGIN PASSWORD 'right' IN ROLE asked")
            let server = try #require(URL(string: try Self.server()))
            let place = "\(try #require(server.host)):\(try #require(server.port))"
            for (address, complaint) in [
                ("postgres://siwa:hunter2@127.0.0.1:1/postgres", "Connection refused"),
                ("postgres://siwa:hunter2@\(place)/not_there", #"database "not_there" does not exist"#),
                ("postgres://\(asked):hunter2@\(place)/postgres", "password authentication failed"),
                ("postgres://\(stranger):hunter2@\(place)/postgres", "permission denied for schema public"),
            ] {
                let result = try serve(address)
                #expect(result.status == 1)
                // Behind what the log says of the start.
                #expect(result.complaints.contains("\nerror: The database "))
                #expect(result.complaints.contains(complaint))
                #expect(result.complaints.contains("\nhint: "))
                #expect(!result.complaints.contains("hunter2"))
            }
        }
    }
#else
    import Testing

    @Suite("siwa serve without PostgreSQL")
    struct PostgresServeTests {
        @Test("says that it was built without PostgreSQL, and shows no password")
        func refused() throws {
            var environment = try ServeSettingsTests.good()
            environment["SIWA_DATABASE"] = "postgres://siwa:hunter2@localhost/siwa"
            let result = try Transcript.run(["serve", "--check"], environment: environment)
            #expect(result.status == 1)
            #expect(result.complaints.contains("error: database: this siwa was built without PostgreSQL"))
            #expect(!result.complaints.contains("hunter2"))
        }
    }
#endif
