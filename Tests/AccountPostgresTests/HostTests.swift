#if PostgreSQL
    import AccountDatabase
    import Foundation
    import Logging
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
            let named = PostgresHost(name: "127.0.0.1", address: nil, port: "1")
            #expect(try named.resolved() == [PostgresHost(name: "127.0.0.1", address: "127.0.0.1", port: "1")])
            let socket = PostgresHost(name: "/tmp", address: nil, port: "1")
            #expect(try socket.resolved() == [socket])
            let one = try PostgresParameters("postgres://siwa@localhost:1,127.0.0.1:2/siwa")
                .only(try #require(named.resolved().first))
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
                try await onThread { _ = try hosts.connect(until: .now + .seconds(60)) }
                let alone = PostgresHosts(parameters, hosts: [unknown])
                let failure = await #expect(throws: PostgresFailure.self) {
                    try await onThread { _ = try alone.connect(until: .now + .seconds(60)) }
                }
                #expect(failure?.message.contains("no address is found for \(name)") == true)
            }
        }

        @Test("If no host takes the connection, the error has the words of each")
        func allRefuse() async throws {
            let hosts = PostgresHosts(try PostgresParameters("postgres://siwa@127.0.0.1:1,127.0.0.1:2/siwa"))
            let failure = await #expect(throws: PostgresFailure.self) {
                try await onThread { _ = try hosts.connect(until: .now + .seconds(60)) }
            }
            #expect(failure?.kind == .lost)
            #expect(failure?.message.contains("port 1 ") == true && failure?.message.contains("port 2 ") == true)
        }
    }
#endif
