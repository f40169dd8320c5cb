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

    /// The outcome of statements that were sent together.
    enum FlightOutcome {
        /// Each statement has a result, in their order.
        case ran([PostgresResult])
        /// A statement was refused, or the connection was lost.
        ///
        /// `mayHaveRunLast` is true when the server may have run the last statement: the flight was sent, and the
        /// server has refused no statement before that one.
        case failed(PostgresFailure, mayHaveRunLast: Bool)

        /// The results, where it makes no difference what the server did before it failed.
        func get() throws(PostgresFailure) -> [PostgresResult] {
            switch self {
            case .ran(let results): return results
            case .failed(let failure, _): throw failure
            }
        }
    }

    /// An answer that the server owes.
    private struct AwaitedAnswer {
        let statement: String
        /// The name under which this prepares the statement; nil where this runs it.
        let preparedName: String?
        /// Whether this runs the last statement of its flight.
        let isLast: Bool
    }

    /// The error of a flight that was not sent as a whole.
    private struct UnsentFlight: Error {
        let failure: PostgresFailure
        let mayHaveRunLast: Bool

        init(_ failure: PostgresFailure, _ mayHaveRunLast: Bool) {
            self.failure = failure
            self.mayHaveRunLast = mayHaveRunLast
        }
    }

    /// One connection to the server. Only the thread that made it uses it.
    ///
    /// Each call waits no longer than its deadline: libpq waits without a time limit, so it is used without waiting,
    /// and this class watches the socket.
    @safe final class PostgresLink {
        private let raw: OpaquePointer
        /// The names of the statements that the server has prepared, by text.
        private var prepared: [String: String] = [:]
        private var nextName = 0

        /// Connects. Where the parameters name several servers, one of them may use up the time; see ``PostgresHosts``.
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

        /// Runs one statement; the server prepares each only once.
        /// - Throws: ``PostgresFailure``. After one of the kinds `lost` and `timedOut` the link can't be used any more.
        func run(
            _ statement: SQLStatement, _ values: [SQLValue] = [], until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> PostgresResult {
            let flight = try run([SQLStep(statement, values)], until: deadline).get()
            guard let result = flight.first else { throw PostgresFailure(.lost, message: "no answer") }
            return result
        }

        /// Runs statements one after the other in one round trip: all of them are sent before the first answer is read.
        ///
        /// The server runs none that follows one it has refused. Then the answers are read to the end of the flight all
        /// the same, so that the link can be used again; if that is impossible, the link isn't idle any more.
        func run(_ flight: [SQLStep], until deadline: ContinuousClock.Instant) -> FlightOutcome {
            let answers: [AwaitedAnswer]
            switch send(flight) {
            case .success(let sent): answers = sent
            case .failure(let unsent): return .failed(unsent.failure, mayHaveRunLast: unsent.mayHaveRunLast)
            }
            do {
                try flush(until: deadline)
            } catch {
                return .failed(error, mayHaveRunLast: true)
            }
            return receive(answers, until: deadline)
        }

        /// Runs text that may be several statements and takes no values.
        /// - Throws: like ``run(_:_:until:)``.
        func run(text: String, until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
            guard unsafe PQexitPipelineMode(raw) == 1 else {
                throw PostgresFailure(.lost, message: message, statement: text)
            }
            _ = try answer(unsafe PQsendQuery(raw, text) == 1, of: text, until: deadline)
        }

        // MARK: Flights

        /// Puts a flight's statements, and those that prepare them, into libpq's buffer.
        private func send(_ flight: [SQLStep]) -> Result<[AwaitedAnswer], UnsentFlight> {
            guard unsafe PQenterPipelineMode(raw) == 1 else { return .failure(UnsentFlight(lost(), false)) }
            var answers: [AwaitedAnswer] = []
            var names: [String: String] = [:]
            for (position, step) in flight.enumerated() {
                let text = step.statement.text
                let bound = BoundValues(step.values)
                let known = prepared[text] ?? names[text]
                let name = known ?? "s\(nextName)"
                var sent: Int32 = 1
                if known == nil {
                    nextName += 1
                    names[text] = name
                    unsafe sent = PQsendPrepare(
                        raw, name, step.statement.postgresText, Int32(clamping: bound.types.count), bound.types)
                    answers.append(AwaitedAnswer(statement: text, preparedName: name, isLast: false))
                }
                if sent == 1 {
                    unsafe sent = bound.withAddresses { addresses in
                        let formats = [Int32](repeating: 1, count: step.values.count)
                        return unsafe PQsendQueryPrepared(
                            raw, name, Int32(clamping: step.values.count), addresses, bound.lengths, formats, 1)
                    }
                }
                let isLast = position == flight.count - 1
                // A full buffer is sent before the flight is complete.
                guard sent == 1 else { return .failure(UnsentFlight(lost(text), isLast)) }
                answers.append(AwaitedAnswer(statement: text, preparedName: nil, isLast: isLast))
            }
            guard unsafe PQpipelineSync(raw) == 1 else { return .failure(UnsentFlight(lost(), true)) }
            return .success(answers)
        }

        private func receive(_ answers: [AwaitedAnswer], until deadline: ContinuousClock.Instant) -> FlightOutcome {
            var results: [PostgresResult] = []
            var refused: (failure: PostgresFailure, isLast: Bool)?
            do throws(PostgresFailure) {
                for answer in answers {
                    guard let result = try onlyResult(until: deadline) else { throw lost(answer.statement) }
                    // The server says of the statements after a refusal only that they did not run.
                    guard refused == nil else { continue }
                    if let failure = result.failure(of: answer.statement) {
                        guard case .refused = failure.kind else { throw lost(answer.statement) }
                        refused = (failure, answer.isLast)
                    } else if let name = answer.preparedName {
                        prepared[answer.statement] = name
                    } else {
                        results.append(result)
                    }
                }
                // The end of the flight: from here on the server waits for the next one.
                guard try nextResult(until: deadline) != nil else { throw lost() }
            } catch {
                // Every statement has been answered. The next use of the link finds it lost.
                if refused == nil, results.count == answers.count(where: { $0.preparedName == nil }) {
                    return .ran(results)
                }
                guard let refused else { return .failed(error, mayHaveRunLast: true) }
                return ended(by: refused)
            }
            if let refused {
                // libpq may make up the end of a flight whose connection is gone.
                guard unsafe PQstatus(raw) == CONNECTION_OK else { return ended(by: refused) }
                return .failed(refused.failure, mayHaveRunLast: false)
            }
            return .ran(results)
        }

        /// Returns the outcome of a flight in which the server has ended the connection instead of an answer. The
        /// server reports that end like a refused statement. The last statement may have been done before.
        private func ended(by refused: (failure: PostgresFailure, isLast: Bool)) -> FlightOutcome {
            let failure = PostgresFailure(
                .lost, message: refused.failure.message, statement: refused.failure.statement)
            return .failed(failure, mayHaveRunLast: refused.isLast)
        }

        /// The one result of a statement, or nil when the connection is lost.
        private func onlyResult(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresResult? {
            guard let result = try nextResult(until: deadline) else { return nil }
            while try nextResult(until: deadline) != nil {}
            return result
        }

        private func lost(_ statement: String? = nil) -> PostgresFailure {
            PostgresFailure(.lost, message: message, statement: statement)
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
                // The server reports the end of a connection like a refused statement.
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
                    // The server may write before it reads on. Without reading here, both sides would wait for each
                    // other.
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
                // If this fails, the bytes that arrived before are still there, and may hold the server's reason.
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
