#if PostgreSQL
    import AccountDatabase
    import Dispatch
    import Foundation
    import Logging
    import TaskSignals
    import Testing

    @testable import AccountPostgres

    @Suite("Several hosts in the address of a PostgreSQL database", .timeLimit(.minutes(2)))
    struct HostTests {
        @Test(
            "Each host has its own port, or all have one",
            arguments: [
                ("postgres://a.example,b.example:5433/siwa", ["a.example - 5432", "b.example - 5433"]),
                ("host=a.example,b.example port=5433", ["a.example - 5433", "b.example - 5433"]),
                ("host=a.example hostaddr=10.0.0.1 port=1", ["a.example 10.0.0.1 1"]),
                ("hostaddr=10.0.0.1,10.0.0.2 port=1,2", ["- 10.0.0.1 1", "- 10.0.0.2 2"]),
                ("postgres://siwa@[::1]:5433/siwa", ["::1 - 5433"]), ("host=/tmp port=1", ["/tmp - 1"]),
            ])
        func list(address: String, expected: [String]) throws {
            let hosts = try PostgresParameters(address).hosts
            #expect(hosts.map { "\($0.name ?? "-") \($0.address ?? "-") \($0.port ?? "-")" } == expected)
        }

        @Test(
            "Lists that only libpq can read or refuse are left to it",
            arguments: [
                "host=a.example,b.example port=1,2,3", "host=a.example hostaddr=10.0.0.1,10.0.0.2", "host=,b.example",
            ])
        func unreadable(address: String) throws {
            let parameters = try PostgresParameters(address)
            #expect(parameters.hosts.isEmpty && parameters.values["host"]?.hasSuffix(".example") == true)
        }

        @Test("A name is tried under each of its addresses, and keeps its name for the server's certificate")
        func names() throws {
            #expect(PostgresHost.addresses(of: "::1") == ["::1"])
            let (lookUps, limit) = (NameLookUps(), ContinuousClock.now + .seconds(60))
            let named = PostgresHost(name: "127.0.0.1", address: nil, port: "1")
            let found = try named.resolved(by: lookUps, until: limit)
            #expect(found == [PostgresHost(name: "127.0.0.1", address: "127.0.0.1", port: "1")])
            let socket = PostgresHost(name: "/tmp", address: nil, port: "1")
            #expect(try socket.resolved(by: lookUps, until: limit) == [socket])
            let one = try PostgresParameters("postgres://siwa@localhost:1,127.0.0.1:2/siwa")
                .only(try #require(found.first))
            #expect(["host", "hostaddr", "port"].map { one.values[$0] } == ["127.0.0.1", "127.0.0.1", "1"])
        }

        @Test(
            "A host that doesn't answer gets its share of the time, and the next connection begins with the host that did"
        )
        func deadHost() async throws {
            let (dead, deadPort) = try listenOnLoopback()
            defer { close(dead) }
            // The system accepts connections to a listener, so `accept` doesn't wait for one that was made.
            func connections() -> Int {
                var count = 0
                var entry = pollfd(fd: dead, events: Int16(POLLIN), revents: 0)
                while unsafe poll(&entry, 1, 0) > 0 {
                    close(accept(dead, nil, nil))
                    count += 1
                }
                return count
            }
            try await TestDatabase.run { test in
                let port = try #require(TestDatabase.server().port)
                var limits = PostgresLimits()
                limits.connections = 1
                limits.connecting = .seconds(4)
                let address = "postgres://siwa@127.0.0.1:\(deadPort),127.0.0.1:\(port)/\(test.name)"
                let database = PostgresDatabase(
                    try PostgresParameters(address), limits: limits, logger: Logger(label: "test"))
                func pid() async throws -> Int64 {
                    let found = try await database.lookUp("SELECT pg_backend_pid()", []) { try $0.int64() }
                    return try #require(found.first)
                }
                let first = try await pid()
                #expect(connections() == 1)
                try await TestDatabase.run("SELECT pg_terminate_backend(\(first))")
                #expect(try await pid() != first)
                #expect(connections() == 0)
                await database.close()
            }
        }

        @Test("A name without an address doesn't keep the next host from being tried")
        func noAddress() async throws {
            try await TestDatabase.run { test in
                let port = try #require(TestDatabase.server().port)
                // A label has at most 63 letters, so nobody is asked for this name.
                let name = String(repeating: "a", count: 64) + ".example"
                let unknown = PostgresHost(name: name, address: nil, port: "1")
                let server = PostgresHost(name: "127.0.0.1", address: nil, port: "\(port)")
                let parameters = try PostgresParameters("postgres://siwa@127.0.0.1/\(test.name)")
                let hosts = PostgresHosts(parameters, hosts: [unknown, server])
                try await onThread { _ = try hosts.connect(within: .patient, until: .now + .seconds(60)) }
                let alone = PostgresHosts(parameters, hosts: [unknown])
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await onThread { _ = try alone.connect(within: .patient, until: .now + .seconds(60)) }
                }
                #expect(failure?.message.contains("no address is found for \(name)") == true)
            }
        }

        @Test("Whoever asks for a name that is being looked up waits for the same answer, no longer than it has time")
        func slowName() {
            let gate = DispatchSemaphore(value: 0)
            let asked = Lock(0)
            let lookUps = NameLookUps { name in
                asked.withLock { $0 += 1 }
                gate.wait()
                gate.signal()
                return ["\(name).1"]
            }
            for _ in 0..<20 { #expect(lookUps.addresses(of: "10.0.0", until: .now) == nil) }
            gate.signal()
            #expect(lookUps.addresses(of: "10.0.0", until: .now + .seconds(60)) == ["10.0.0.1"])
            #expect(lookUps.addresses(of: "10.0.1", until: .now + .seconds(60)) == ["10.0.1.1"])
            // The first look-up, perhaps one after it, and that of the other name.
            #expect(asked.withLock { $0 } <= 3)
        }

        @Test("A name service that doesn't answer keeps neither the next host from being tried nor the thread")
        func silentNameService() async throws {
            try await TestDatabase.run { test in
                let port = try #require(TestDatabase.server().port)
                let gate = DispatchSemaphore(value: 0)
                defer { gate.signal() }
                let lookUps = NameLookUps { _ in
                    gate.wait()
                    gate.signal()
                    return []
                }
                var limits = PostgresLimits.patient
                limits.lookingUp = .zero
                let named = PostgresHost(name: "database.example", address: nil, port: "1")
                let server = PostgresHost(name: nil, address: "127.0.0.1", port: "\(port)")
                let parameters = try PostgresParameters("postgres://siwa@127.0.0.1/\(test.name)")
                let hosts = PostgresHosts(parameters, hosts: [named, server], lookUps: lookUps)
                try await onThread { [limits] in _ = try hosts.connect(within: limits, until: .now + .seconds(60)) }
                let alone = PostgresHosts(parameters, hosts: [named], lookUps: lookUps)
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await onThread { [limits] in _ = try alone.connect(within: limits, until: .now + .seconds(60)) }
                }
                #expect(failure?.kind == .timedOut)
                #expect(failure?.message == "the name service does not answer for database.example")
                // Whatever the limit for a look-up is, the transaction's end is one.
                limits.lookingUp = .seconds(600)
                let late = await #expect(throws: PostgresFailure.self) {
                    try await onThread { [limits] in _ = try alone.connect(within: limits, until: .now) }
                }
                #expect(late?.kind == .timedOut)
            }
        }

        @Test("If no host takes the connection, the error has the words of each")
        func allRefuse() async throws {
            let hosts = PostgresHosts(try PostgresParameters("postgres://siwa@127.0.0.1:1,127.0.0.1:2/siwa"))
            let failure = await #expect(throws: PostgresFailure.self) {
                try await onThread { _ = try hosts.connect(within: .patient, until: .now + .seconds(60)) }
            }
            #expect(failure?.kind == .lost)
            #expect(failure?.message.contains("port 1 ") == true && failure?.message.contains("port 2 ") == true)
        }
    }

    extension PostgresLimits {
        /// Limits for tests whose connections are made, however busy the machine is.
        fileprivate static var patient: Self {
            var limits = Self()
            limits.connecting = .seconds(60)
            limits.lookingUp = .seconds(60)
            return limits
        }
    }
#endif
