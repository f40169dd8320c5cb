#if PostgreSQL
    import AccountDatabase
    import AccountService
    import Testing

    @testable import AccountPostgres

    @Suite("Addresses of PostgreSQL servers")
    struct AddressTests {
        @Test(
            "A connection on this machine needs no TLS",
            arguments: [
                "postgres://siwa@localhost/siwa", "postgres://siwa@127.0.0.1:5433/siwa", "postgres://[::1]/siwa",
                "postgresql:///siwa?host=/var/run/postgresql", "host=/tmp dbname=siwa",
                "postgres://localhost,127.0.0.1/siwa", "host=localhost hostaddr=127.0.0.1",
            ])
        func local(_ address: String) throws {
            #expect(try PostgresParameters(address).values["sslmode"] == nil)
        }

        @Test(
            "A connection to another machine checks the server's certificate and its name",
            arguments: [
                "postgres://siwa@db.example.com/siwa", "postgres://10.0.0.7/siwa", "host=localhost,db.example.com",
                "host=localhost hostaddr=10.0.0.7", "postgres://db.example.com/siwa?sslmode=verify-full",
                "postgres://127.0.0.1.example.com/siwa", "postgres://localhost.example.com/",
            ])
        func remote(_ address: String) throws {
            #expect(try PostgresParameters(address).values["sslmode"] == "verify-full")
        }

        @Test(
            "A weaker sslmode for another machine is refused",
            arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
        func weak(_ mode: String) {
            #expect(throws: SQLDatabaseError(.configuration, "")) {
                try PostgresParameters("postgres://db.example.com/siwa?sslmode=\(mode)")
            }
        }

        @Test(
            "A connection leads to a server that takes writes, unless the address says otherwise",
            arguments: [
                ("", "primary"), ("?target_session_attrs=any", "any"),
                ("?target_session_attrs=read-write", "read-write"),
            ])
        func server(query: String, expected: String) throws {
            let parameters = try PostgresParameters("postgres://siwa@localhost/siwa" + query)
            #expect(parameters.values["target_session_attrs"] == expected)
        }

        @Test(
            "An unreadable address is refused and isn't quoted",
            arguments: [
                "", "postgres://siwa:pass word@[::1/siwa", "postgres://siwa:hunter2@h/d?nonsense=hunter2",
                "hunter2", "mysql://siwa:hunter2@localhost/siwa", "service=mine",
            ])
        func unreadable(_ address: String) {
            let error = #expect(throws: SQLDatabaseError.self) { try PostgresParameters(address) }
            #expect(error?.code == .configuration)
            #expect(error?.description.contains("hunter2") == false)
        }
    }
#endif
