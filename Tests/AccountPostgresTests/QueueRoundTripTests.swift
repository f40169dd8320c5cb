#if PostgreSQL
    import AccountDatabase
    import AccountEngines
    import AccountPostgres
    import AccountService
    import Testing

    @Suite("Round trips of work with many rows to PostgreSQL", .timeLimit(.minutes(2)))
    struct QueueRoundTripTests {
        @Test("Many sessions of an account end in as many round trips as two")
        func sessions() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                var flights: [Int] = []
                for count in [2, 40] {
                    var account: AccountID?
                    for hour in 0..<Int64(count) {
                        account = try await store.signIn(.sample(at: .start + .hours(hour))).account.id
                    }
                    let ended = try #require(account)
                    _ = proxy.takeFlights()
                    let ending = SessionEnding.sample(at: .start + .days(3), .signedOut)
                    #expect(try await store.endSessions(of: ended, except: nil, ending, limit: 100) == count)
                    flights.append(proxy.takeFlights().count)
                }
                #expect(flights[0] == flights[1])
            }
        }

        @Test("A look for notices writes nothing while all of them wait for earlier ones")
        func blockedNotices() async throws {
            try await PostgresProxy.run { database, proxy, _ in
                let store = try await AccountTransactions(on: database)
                try await store.noteHooks(["backend"], at: .start)
                _ = try await store.signIn(.sample())
                let lease = QueueLease.sample(at: .start + .seconds(1))
                let id = try #require(await store.leaseNotices(for: "backend", lease).first?.notice.id)
                let again = NoticeOutcome.again(at: .start + .hours(1), failure: "status_500")
                #expect(try await store.endNoticeAttempt(id, for: "backend", owner: lease.owner, again))
                let moment = Timestamp.start + .minutes(1)
                _ = try await store.applyNotification(
                    .sample(.emailForwarding(false), happenedAt: moment, receivedAt: moment))
                _ = proxy.takeFlights()
                #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .minutes(2))).isEmpty)
                let flights = proxy.takeFlights()
                #expect(!flights.isEmpty && !flights.joined().contains { $0.hasPrefix("UPDATE") }, "\(flights)")
            }
        }
    }
#endif
