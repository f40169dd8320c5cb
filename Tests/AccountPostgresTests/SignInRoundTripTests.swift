#if PostgreSQL
    import AccountDatabase
    import AccountEngines
    import AccountPostgres
    import AccountService
    import Testing

    @Suite("Round trips of a sign-in to PostgreSQL", .timeLimit(.minutes(2)))
    struct SignInRoundTripTests {
        @Test("A native sign-in takes three round trips, both the first and a later one")
        func native() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                for hour in Int64(0)..<3 {
                    var record = SignInRecord.sample(at: .start + .hours(hour))
                    record.used = [.sample(.identityToken), .sample(.nonce), .sample(.code)]
                    _ = proxy.takeFlights()
                    let outcome = try await store.signIn(record)
                    #expect(outcome.isNewAccount == (hour == 0))
                    let flights = proxy.takeFlights()
                    #expect(flights.count == 3, "\(flights)")
                    // The lock is taken before anything else is done or looked at.
                    #expect(flights.first?.prefix(2).last == "SELECT pg_advisory_xact_lock($1)")
                    #expect(flights.last?.last == "COMMIT")
                }
            }
        }

        @Test("A sign-in on a new device takes no more round trips, and writes a mail about it")
        func newDevice() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                let ring = try KeyRing(parsing: "one:\(String(repeating: "A", count: 43))=")
                let writer = MailWriter(publicURL: try PublicURL("https://example.com"), keyRing: ring)
                for hour in Int64(0)..<3 {
                    let moment = Timestamp.start + .hours(hour)
                    var record = SignInRecord.sample(at: moment)
                    record.used = [.sample(.identityToken), .sample(.nonce), .sample(.code)]
                    record.session.deviceName = DeviceName(cleaning: "Device \(hour % 2)")
                    record.newDeviceMail = NewDeviceMail(writer: writer, at: moment)
                    _ = proxy.takeFlights()
                    _ = try await store.signIn(record)
                    let flights = proxy.takeFlights()
                    #expect(flights.count == 3, "\(flights)")
                    #expect(flights.joined().contains { $0.hasPrefix("INSERT INTO mails") } == (hour == 1))
                }
            }
        }

        @Test("Before Apple redeems a code, two look-ups take a round trip each")
        func beforeApple() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                var record = SignInRecord.sample()
                record.used = [.sample(.identityToken), .sample(.nonce), .sample(.code)]
                _ = proxy.takeFlights()
                #expect(try await store.firstUsed(among: record.used, at: .start) == nil)
                try await store.postponeRevocations(
                    of: .person(team: record.person.team, subject: record.person.subject), at: .start,
                    until: .start + .minutes(2))
                let flights = proxy.takeFlights()
                #expect(flights.map(\.count) == [1, 1], "\(flights)")
            }
        }

        @Test("A session is found with its account in one round trip")
        func session() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                let opened = try await store.signIn(.sample())
                _ = proxy.takeFlights()
                #expect(try await store.session(opened.session.id)?.account == opened.account)
                #expect(proxy.takeFlights().count == 1)
            }
        }
    }
#endif
