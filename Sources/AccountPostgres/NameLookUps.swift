#if PostgreSQL
    import Dispatch
    import Foundation
    import TaskSignals

    /// Asks the name service for the addresses of names, and waits for an answer no longer than the caller has time.
    ///
    /// `getaddrinfo` has no time limit, and nothing can stop it. So it runs on a thread of its own, and the caller goes on when
    /// its time is over. Whoever asks for a name while it is being looked up waits for the same answer. So a name service that
    /// doesn't answer holds one thread for each name, however many connections are tried meanwhile.
    final class NameLookUps: Sendable {
        /// One question to the name service.
        private final class LookUp: Sendable {
            let begun = ContinuousClock.now
            /// Is signaled when the answer is there, and again by each caller that this wakes.
            let arrival = DispatchSemaphore(value: 0)
            let addresses = Lock<[String]>([])
        }

        /// A look-up that began longer ago is taken for lost, for instance because its thread could not be started. It is
        /// longer than the system waits for its name servers.
        private static let patience: Duration = .seconds(300)

        private let ask: @Sendable (String) -> [String]
        /// The look-ups without an answer, by name.
        private let running = Lock<[String: LookUp]>([:])

        /// - Parameter ask: Returns the addresses of a name, and may wait without a time limit.
        init(asking ask: @escaping @Sendable (String) -> [String] = { PostgresHost.addresses(of: $0) }) {
            self.ask = ask
        }

        /// Returns the numeric addresses of a name, or nil if no answer came in time.
        func addresses(of name: String, until deadline: ContinuousClock.Instant) -> [String]? {
            let (lookUp, isNew) = running.withLock { running in
                if let present = running[name], present.begun.duration(to: .now) < Self.patience {
                    return (present, false)
                }
                let new = LookUp()
                running[name] = new
                return (new, true)
            }
            if isNew { start(lookUp, of: name) }
            let seconds = max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1))
            guard lookUp.arrival.wait(timeout: .now() + seconds) == .success else { return nil }
            lookUp.arrival.signal()
            return lookUp.addresses.withLock { $0 }
        }

        private func start(_ lookUp: LookUp, of name: String) {
            let thread = Thread { [self] in
                let addresses = ask(name)
                running.withLock { running in
                    if running[name] === lookUp { running[name] = nil }
                }
                lookUp.addresses.withLock { $0 = addresses }
                lookUp.arrival.signal()
            }
            thread.name = "siwa.names"
            thread.start()
        }
    }
#endif
