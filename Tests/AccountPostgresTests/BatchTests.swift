#if PostgreSQL
    import AccountDatabase
    import AccountEngines
    import AccountService
    import Logging
    import Testing

    @testable import AccountPostgres

    @Suite("Batches of statements", .timeLimit(.minutes(2)))
    struct BatchTests {
        private static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

        @Test("A batch takes one round trip, and BEGIN is sent with it")
        func oneRoundTrip() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                for _ in 0..<2 {
                    _ = proxy.takeFlights()
                    let counts = try await database.write { connection in
                        try connection.execute("DELETE FROM notes")
                        return try connection.run([.note(1), .note(2), SQLStep("DELETE FROM notes WHERE id = 1")])
                    }
                    #expect(counts == [1, 1, 1])
                    // The second time with statements that the server has prepared.
                    #expect(
                        proxy.takeFlights() == [
                            [Self.begin, "DELETE FROM notes"],
                            [SQLStep.noteText, SQLStep.noteText, "DELETE FROM notes WHERE id = 1"],
                            ["COMMIT"],
                        ])
                }
            }
        }

        @Test("Statements whose outcome isn't needed are sent with the next one, or with COMMIT")
        func later() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                _ = proxy.takeFlights()
                try await database.write { connection in
                    try connection.lock(7)
                    try connection.later(.note(1))
                    #expect(try connection.returnsRow("SELECT id FROM notes", []))
                    try connection.later(.note(2))
                    try connection.later(.note(3))
                }
                let lock = "SELECT pg_advisory_xact_lock($1)"
                #expect(
                    proxy.takeFlights() == [
                        [Self.begin, lock, SQLStep.noteText, "SELECT id FROM notes"],
                        [SQLStep.noteText, SQLStep.noteText, "COMMIT"],
                    ])
                try await database.write { try $0.later(.note(4)) }
                #expect(proxy.takeFlights() == [[Self.begin, SQLStep.noteText, "COMMIT"]])
                #expect(try await database.notes() == [1, 2, 3, 4])
            }
        }

        @Test("A look-up takes one round trip, and cannot write")
        func lookUp() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                _ = proxy.takeFlights()
                for _ in 0..<2 {
                    let rows = try await database.lookUp("SELECT ?1 + 1", [.int64(41)]) { try $0.int64() }
                    #expect(rows == [42])
                    #expect(proxy.takeFlights() == [["SELECT $1 + 1"]])
                }
                await #expect(throws: SQLDatabaseError(.unavailable, "")) {
                    _ = try await database.lookUp("INSERT INTO notes VALUES (1, '') RETURNING id", []) {
                        try $0.int64()
                    }
                }
                #expect(try await database.notes() == [])
            }
        }

        @Test("A body without statements takes no round trip")
        func nothing() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                _ = proxy.takeFlights()
                try await database.write { _ in }
                try await database.read { _ = try $0.run([]) }
                #expect(proxy.takeFlights() == [])
            }
        }

        @Test("A batch larger than the sockets' buffers is sent and received at the same time")
        func large() async throws {
            try await PostgresProxy.run { database, _, _ in
                let text = String(repeating: "x", count: 200_000)
                let count = try await database.read { connection in
                    var count = 0
                    let echo = SQLStep("SELECT ?1", [try .text(text)]) { columns in
                        if try columns.text() == text { count += 1 }
                    }
                    _ = try connection.run(Array(repeating: echo, count: 100))
                    return count
                }
                #expect(count == 100)
            }
        }

        @Test("Outcomes and rows are the same on each engine", arguments: Engine.allCases)
        func engines(engine: Engine) async throws {
            let database = try await engine.database()
            try await database.makeNotes()
            try await database.write { connection in
                var found: [Int64] = []
                var texts: [String] = []
                let counts = try connection.run([
                    .note(1, "one"), .note(2, "two"), .note(3, "two"),
                    SQLStep("UPDATE notes SET text = 'three' WHERE id = 3"),
                    SQLStep("UPDATE notes SET text = 'four' WHERE id = 4"),
                    SQLStep("SELECT id FROM notes WHERE text <> ?1 ORDER BY id", [try .text("two")]) { columns in
                        found.append(try columns.int64())
                    },
                    SQLStep("SELECT text FROM notes WHERE id > 3") { texts.append(try $0.text()) },
                    SQLStep("DELETE FROM notes WHERE id < 3 RETURNING text") { texts.append(try $0.text()) },
                ])
                #expect(counts == [1, 1, 1, 1, 0, 2, 0, 2])
                #expect(found == [1, 3])
                #expect(texts.sorted() == ["one", "two"])
                try connection.later(.note(5))
            }
            #expect(try await database.notes() == [3, 5])
        }

        @Test(
            "If the server refuses one statement of a batch, the transaction is undone",
            arguments: [false, true])
        func refusedInside(isLast: Bool) async throws {
            try await PostgresProxy.run { database, _, _ in
                try await database.makeNotes()
                let before = try await database.pid()
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await database.write { connection in
                        try connection.execute("INSERT INTO notes (id, text) VALUES (1, '')")
                        let batch: [SQLStep] = try [.note(2), .note(1), .note(3)]
                        if isLast {
                            for step in batch { try connection.later(step) }
                        } else {
                            _ = try connection.run(batch)
                        }
                    }
                }
                #expect(failure?.kind == .refused(state: "23505"))
                #expect(try await database.notes() == [])
                #expect(try await database.pid() == before, "the connection goes on")
            }
        }

        @Test("If a row cannot be decoded, the transaction is undone, and the connection stays usable")
        func undecoded() async throws {
            try await PostgresProxy.run { database, _, _ in
                try await database.makeNotes()
                let before = try await database.pid()
                await #expect(throws: SQLRowError(column: 0, expected: "text")) {
                    try await database.write { connection in
                        _ = try connection.run([.note(1), SQLStep("SELECT 1") { _ = try $0.text() }, .note(2)])
                    }
                }
                #expect(try await database.notes() == [])
                #expect(try await database.pid() == before)
            }
        }

        @Test("If the server refuses a statement before COMMIT, the transaction runs again when that may help")
        func repeated() async throws {
            try await PostgresProxy.run { database, _, _ in
                try await database.makeNotes()
                let runs = Count()
                try await database.write { connection in
                    try connection.later(.note(1))
                    if runs.next() == 1 {
                        try connection.executeLater(
                            "DO 'BEGIN RAISE EXCEPTION ''try again'' USING ERRCODE = ''40001''; END'", [])
                    }
                }
                #expect(runs.value == 2)
                #expect(try await database.notes() == [1])
            }
        }

        @Test("If the server ends the connection before COMMIT, nothing is kept, and the transaction runs again")
        func endedBeforeCommit() async throws {
            try await PostgresProxy.run { database, _, _ in
                try await database.makeNotes()
                let runs = Count()
                try await database.write { connection in
                    try connection.later(.note(1))
                    if runs.next() == 1 {
                        try connection.executeLater("SELECT pg_terminate_backend(pg_backend_pid())", [])
                    }
                    try connection.later(.note(2))
                }
                #expect(runs.value == 2)
                #expect(try await database.notes() == [1, 2])
            }
        }

        @Test(
            "If the connection is lost before COMMIT is sent, the transaction runs again",
            arguments: [PostgresProxy.Decision.dropFlight, .dropAnswers])
        func lostBeforeCommit(decision: PostgresProxy.Decision) async throws {
            // In the flight with BEGIN, and in a later one.
            for marker in [Self.begin, "SELECT 'inside'"] {
                try await PostgresProxy.run { database, proxy, _ in
                    try await database.makeNotes()
                    let (cuts, runs) = (Count(), Count())
                    proxy.onFlight { $0.contains(marker) && cuts.next() == 1 ? decision : .relay }
                    try await database.write { connection in
                        _ = runs.next()
                        _ = try connection.run([.note(1), .note(2)])
                        _ = try connection.run([.note(3), SQLStep("SELECT 'inside'") { _ in }])
                        try connection.later(.note(4))
                    }
                    #expect(runs.value == 2)
                    #expect(try await database.notes() == [1, 2, 3, 4])
                }
            }
        }

        @Test(
            "If the connection is lost after COMMIT was sent, the outcome is unknown, and nothing runs again",
            arguments: [PostgresProxy.Decision.dropFlight, .dropAnswers], [false, true])
        func lostAfterCommit(decision: PostgresProxy.Decision, hasBatch: Bool) async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                let (cuts, runs) = (Count(), Count())
                proxy.onFlight { $0.contains("COMMIT") && cuts.next() == 1 ? decision : .relay }
                let error = await #expect(throws: SQLDatabaseError.self) {
                    try await database.write { connection in
                        _ = runs.next()
                        if hasBatch {
                            try connection.later(.note(1))
                        } else {
                            _ = try connection.run([.note(1)])
                        }
                    }
                }
                #expect(error?.code == .unavailable)
                #expect(error?.reason == "The database did not say whether it kept what was written.")
                #expect(runs.value == 1)
                let isKept = decision == .dropAnswers
                #expect(try await database.notes() == (isKept ? [1] : []))
            }
        }

        @Test(
            "If the connection is lost at the end of a transaction that only reads, its value stands",
            arguments: [PostgresProxy.Decision.dropFlight, .dropAnswers])
        func lostAfterReading(decision: PostgresProxy.Decision) async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                let (cuts, runs) = (Count(), Count())
                proxy.onFlight { $0.contains("COMMIT") && cuts.next() == 1 ? decision : .relay }
                let found = try await database.read { connection in
                    _ = runs.next()
                    return try connection.first("SELECT 'inside'", []) { try $0.text() }
                }
                #expect(found == "inside" && runs.value == 1 && cuts.value == 1)
                #expect(try await database.notes().isEmpty)
            }
        }

        @Test("A transaction that gets no answer in time sends no ROLLBACK, and its connection is replaced")
        func unanswered() async throws {
            var limits = PostgresLimits()
            limits.transaction = .seconds(2)
            try await PostgresProxy.run(limits: limits) { database, proxy, _ in
                try await database.makeNotes()
                _ = proxy.takeFlights()
                let error = await #expect(throws: SQLDatabaseError.self) {
                    try await database.write { connection in
                        // The server would end the statement in time.
                        _ = try connection.execute("SET LOCAL statement_timeout = 0")
                        _ = try connection.execute("SELECT pg_sleep(20)")
                    }
                }
                #expect((error?.cause as? PostgresFailure)?.kind == .timedOut)
                let flights = proxy.takeFlights()
                #expect(!flights.joined().contains("ROLLBACK"), "\(flights)")
                #expect(try await database.notes().isEmpty)
            }
        }

        @Test("If a look-up loses its connection, it is sent again")
        func lostLookUp() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                try await database.makeNotes()
                let cuts = Count()
                proxy.onFlight { $0 == ["SELECT 'found'"] && cuts.next() == 1 ? .dropAnswers : .relay }
                #expect(try await database.lookUp("SELECT 'found'", []) { try $0.text() } == ["found"])
                #expect(cuts.value == 2)
            }
        }
    }

    extension SQLStep {
        fileprivate static let noteText = "INSERT INTO notes (id, text) VALUES ($1, $2)"

        fileprivate static func note(_ id: Int64, _ text: String = "") throws -> Self {
            Self("INSERT INTO notes (id, text) VALUES (?1, ?2)", [.int64(id), try .text(text)])
        }
    }

    extension SQLConnection {
        fileprivate func later(_ step: SQLStep) throws {
            try executeLater(step.statement, step.values)
        }
    }

    extension SQLDatabase {
        fileprivate func makeNotes() async throws {
            let dialect = dialect
            _ = try await writeAlone { connection in
                try connection.execute(
                    """
                    CREATE TABLE notes (id \(dialect.int64) NOT NULL PRIMARY KEY, text \(dialect.text) NOT NULL)
                    \(dialect.tableOptions)
                    """)
            }
        }

        fileprivate func notes() async throws -> [Int64] {
            try await read { connection in
                try connection.query("SELECT id FROM notes ORDER BY id", []) { try $0.int64() }
            }
        }

        fileprivate func pid() async throws -> Int64? {
            try await lookUp("SELECT pg_backend_pid()", []) { try $0.int64() }.first
        }
    }
#endif
