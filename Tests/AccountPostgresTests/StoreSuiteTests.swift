#if PostgreSQL
    import AccountPostgres
    import AccountTesting
    import Testing

    @Suite("The store suite on PostgreSQL")
    struct StoreSuiteTests {
        @Test("in a schema of its own", arguments: AccountStoreCheck.all)
        func store(_ check: AccountStoreCheck) async throws {
            try await TestDatabase.withSchema { store in try await AccountStoreSuite { store }.run(check) }
        }
    }
#endif
