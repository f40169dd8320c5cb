#if PostgreSQL
    import AccountSQL
    import CPostgres
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// One connection to the server. Only the thread that made it uses it.
    ///
    /// Nothing here waits for longer than it is told: libpq's own waiting has no end, so it is used without waiting,
    /// and the socket is watched here.
    @safe final class PostgresLink {
        private let raw: OpaquePointer
        /// The names of the statements that the server has prepared, by text.
        private var prepared: [String: String] = [:]

        /// Connects.
        /// - Throws: ``PostgresFailure``.
        init(_ parameters: PostgresParameters, until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            guard let raw = unsafe parameters.withStrings({ unsafe PQconnectStartParams($0, $1, 0) }) else {
                throw PostgresFailure(.lost, message: "there is no memory for a connection")
            }
            unsafe self.raw = raw
            // Notices would go to standard error.
            _ = unsafe PQsetNoticeProcessor(raw, { _, _ in }, nil)
            try finishConnecting(until: deadline)
            unsafe PQsetnonblocking(raw, 1)
        }

        deinit {
            unsafe PQfinish(raw)
        }

        /// Whether the link can be used again: it is there, and in no transaction.
        var isIdle: Bool { unsafe PQstatus(raw) == CONNECTION_OK && PQtransactionStatus(raw) == PQTRANS_IDLE }

        /// Runs a statement of the store to its end; the server prepares each only once.
        /// - Throws: ``PostgresFailure``. After one of the kinds `lost` and `timedOut` the link is of no more use.
        func run(
            _ statement: SQLStatement, _ values: [SQLValue], until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> PostgresResult {
            let bound = BoundValues(values)
            let name = try prepare(statement, bound, until: deadline)
            let isSent = unsafe bound.withAddresses { addresses in
                let formats = [Int32](repeating: 1, count: values.count)
                return unsafe PQsendQueryPrepared(
                    raw, name, Int32(clamping: values.count), addresses, bound.lengths, formats, 1)
            }
            return try answer(isSent == 1, of: statement.text, until: deadline)
        }

        /// Runs text that may be several statements and takes no values.
        /// - Throws: like ``run(_:_:until:)``.
        func run(text: String, until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            _ = try answer(unsafe PQsendQuery(raw, text) == 1, of: text, until: deadline)
        }

        private func prepare(
            _ statement: SQLStatement, _ bound: BoundValues, until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> String {
            if let name = prepared[statement.text] { return name }
            let name = "s\(prepared.count)"
            let isSent = unsafe PQsendPrepare(
                raw, name, statement.postgresText, Int32(clamping: bound.types.count), bound.types)
            _ = try answer(isSent == 1, of: statement.text, until: deadline)
            prepared[statement.text] = name
            return name
        }

        private func finishConnecting(until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            var next = PGRES_POLLING_WRITING
            while next != PGRES_POLLING_OK {
                guard unsafe PQstatus(raw) != CONNECTION_BAD, next != PGRES_POLLING_FAILED else { throw refusal() }
                try wait(for: next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
                next = unsafe PQconnectPoll(raw)
            }
        }

        /// A server that refuses a connection gives no SQLSTATE through libpq; its sentence names host, user and
        /// database.
        private func refusal() -> PostgresFailure {
            PostgresFailure(.lost, message: message)
        }

        private func answer(
            _ isSent: Bool, of statement: String, until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> PostgresResult {
            guard isSent else { throw PostgresFailure(.lost, message: message, statement: statement) }
            try flush(until: deadline)
            var answer: PostgresResult?
            var failure: PostgresFailure?
            while let result = try nextResult(until: deadline) {
                failure = failure ?? result.failure(of: statement)
                answer = result
            }
            if let failure {
                // What ended the connection is told like any other refusal.
                guard unsafe PQstatus(raw) == CONNECTION_OK else {
                    throw PostgresFailure(.lost, message: failure.message, statement: statement)
                }
                throw failure
            }
            guard let answer else { throw PostgresFailure(.lost, message: message, statement: statement) }
            return answer
        }

        private func flush(until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            while true {
                switch unsafe PQflush(raw) {
                case 0: return
                case 1:
                    try wait(for: POLLIN | POLLOUT, until: deadline)
                    // A server that writes before it reads on would wait for us as we do for it.
                    guard unsafe PQconsumeInput(raw) == 1 else { throw PostgresFailure(.lost, message: message) }
                default: throw PostgresFailure(.lost, message: message)
                }
            }
        }

        private func nextResult(
            until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> PostgresResult? {
            while unsafe PQisBusy(raw) == 1 {
                try wait(for: POLLIN, until: deadline)
                // When this fails, what has arrived before is still there, the server's reason perhaps.
                if unsafe PQconsumeInput(raw) == 0 { break }
            }
            return unsafe PQgetResult(raw).map { unsafe PostgresResult($0) }
        }

        private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            while true {
                let rest = ContinuousClock.now.duration(to: deadline)
                guard rest > .zero else { throw PostgresFailure(.timedOut, message: "no answer in time") }
                let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000
                var entry = unsafe pollfd(fd: PQsocket(raw), events: Int16(events), revents: 0)
                let count = unsafe poll(&entry, 1, Int32(clamping: milliseconds + 1))
                if count > 0 { return }
                guard count == 0 || errno == EINTR else {
                    throw PostgresFailure(.lost, message: "the socket cannot be watched")
                }
            }
        }

        private var message: String {
            unsafe PQerrorMessage(raw).map { unsafe String(cString: $0) }?
                .split(separator: "\n").joined(separator: " ") ?? "no message"
        }
    }
#endif
