#if PostgreSQL
    import AccountDatabase
    import CPostgres

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// The checked parameters of a connection, in libpq's words. A connection to another machine needs TLS that
    /// verifies the server's certificate and name.
    struct PostgresParameters: Sendable {
        private(set) var values: [String: String]
        /// The servers that the address or the environment names. Empty where none is named, and where only libpq can read the
        /// lists.
        private(set) var hosts: [PostgresHost] = []
        /// The password for an address without one. It is read anew for each connection.
        private let password: PostgresPassword?

        /// Reads what libpq reads: `postgres://user:password@host:port/database?sslmode=…`, or `host=… dbname=…`.
        /// Missing parameters come from the usual environment (`PGPASSWORD`, `PGSSLROOTCERT`, …).
        ///
        /// - Parameter password: the password for an address that holds none. It goes before `PGPASSWORD` and the
        ///   password file.
        /// - Throws: `SQLDatabaseError` with the code `configuration`; it quotes neither address nor password.
        init(_ address: String, password: PostgresPassword? = nil) throws(SQLDatabaseError) {
            guard !address.isEmpty else { throw SQLDatabaseError(.configuration, "The database's address is empty.") }
            values = try Self.parse(address)
            self.password = password
            guard password == nil || !hasPassword else {
                throw SQLDatabaseError(
                    .configuration, "The database's address holds a password, and another one is given beside it.")
            }
            guard values["service"] == nil else {
                throw SQLDatabaseError(
                    .configuration, "The database's address names a service; give its parts instead.")
            }
            let defaults = try unsafe Self.collect(PQconndefaults())
            if !Self.isLocal(values["host"] ?? defaults["host"], values["hostaddr"] ?? defaults["hostaddr"]) {
                let mode = values["sslmode"] ?? Self.chosen(defaults["sslmode"], unless: "prefer")
                guard mode == nil || mode == Self.verified else {
                    throw SQLDatabaseError(
                        .configuration,
                        "The database is on another machine, so sslmode must be verify-full (with sslrootcert, where the certificate's authority is not the system's)."
                    )
                }
                values["sslmode"] = Self.verified
            }
            hosts = PostgresHost.list(
                names: values["host"] ?? defaults["host"], addresses: values["hostaddr"] ?? defaults["hostaddr"],
                ports: values["port"] ?? defaults["port"])
            // A standby answers look-ups, and refuses every write.
            values["target_session_attrs"] =
                values["target_session_attrs"] ?? Self.chosen(defaults["target_session_attrs"], unless: "any")
                ?? "primary"
            values["application_name"] = values["application_name"] ?? "siwa"
            values["client_encoding"] = "UTF8"
            // A dead connection is noticed while it is idle, and not when it is needed.
            values["keepalives_idle"] = values["keepalives_idle"] ?? "30"
            values["keepalives_interval"] = values["keepalives_interval"] ?? "10"
            values["keepalives_count"] = values["keepalives_count"] ?? "3"
        }

        /// Whether the address itself holds a password.
        var hasPassword: Bool { values[Self.passwordKeyword] != nil }

        /// Returns the parameters of a connection to one server.
        func only(_ host: PostgresHost) -> Self {
            var parameters = self
            parameters.hosts = [host]
            parameters.values["host"] = host.name
            parameters.values["hostaddr"] = host.address
            parameters.values["port"] = host.port
            return parameters
        }

        /// Calls the body with the names and values in libpq's form: two lists, each with a null at its end.
        func withStrings<Answer>(
            _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Answer
        ) -> Answer {
            var values = values
            if let password { values[Self.passwordKeyword] = password.current }
            let pairs = Array(values)
            let names = unsafe pairs.map { unsafe strdup($0.key) }
            let texts = unsafe pairs.map { unsafe strdup($0.value) }
            defer { unsafe (names + texts).forEach { unsafe free($0) } }
            let nameList = unsafe names.map { unsafe UnsafePointer($0) } + [nil]
            let textList = unsafe texts.map { unsafe UnsafePointer($0) } + [nil]
            return unsafe body(nameList, textList)
        }

        static let passwordKeyword = "password"
        private static let verified = "verify-full"

        /// Returns a value of libpq's defaults, or nil for the one that libpq reports if nobody has chosen any.
        private static func chosen(_ value: String?, unless standard: String) -> String? {
            value == standard ? nil : value
        }

        private static func isLocal(_ hosts: String?, _ addresses: String?) -> Bool {
            // The address may list several hosts. One on another machine is enough.
            let all = [hosts, addresses].compactMap(\.self).filter { !$0.isEmpty }.flatMap { $0.split(separator: ",") }
            // If none is given, libpq uses the socket of this machine's server.
            return all.allSatisfy { host in
                host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
            }
        }

        /// Reads an address, and opens libpq for that. Every use of libpq begins here.
        static func parse(_ address: String) throws(SQLDatabaseError) -> [String: String] {
            if let reason = unsafe libpq_open() {
                throw SQLDatabaseError(
                    .configuration,
                    "PostgreSQL's client library cannot be opened (\(unsafe String(cString: reason))). Install it: the package is libpq5 on Debian and Ubuntu, libpq on Fedora."
                )
            }
            var message: UnsafeMutablePointer<CChar>?
            let options = unsafe PQconninfoParse(address, &message)
            // The message quotes the address, password included.
            unsafe PQfreemem(message)
            return try unsafe collect(options)
        }

        private static func collect(
            _ options: UnsafeMutablePointer<PQconninfoOption>?
        ) throws(SQLDatabaseError) -> [String: String] {
            guard let options = unsafe options else {
                throw SQLDatabaseError(
                    .configuration, "The database's address is none that PostgreSQL's library can read.")
            }
            defer { unsafe PQconninfoFree(options) }
            var values: [String: String] = [:]
            var option = unsafe options
            while let keyword = unsafe option.pointee.keyword {
                if let value = unsafe option.pointee.val {
                    unsafe values[String(cString: keyword)] = unsafe String(cString: value)
                }
                unsafe option += 1
            }
            return values
        }
    }
#endif
