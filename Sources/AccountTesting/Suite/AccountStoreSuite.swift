public import AccountService

/// What every account store must do, whatever engine it stands on; races included.
///
/// ```swift
/// @Test(arguments: AccountStoreCheck.all)
/// func store(_ check: AccountStoreCheck) async throws {
///     try await AccountStoreSuite { try await MyStore.empty() }.run(check)
/// }
/// ```
public struct AccountStoreSuite: Sendable {
    private let makeStore: @Sendable () async throws -> any AccountStore

    /// - Parameter makeStore: called once a check; each store is empty and shares nothing with the others.
    public init(makeStore: @escaping @Sendable () async throws -> any AccountStore) {
        self.makeStore = makeStore
    }

    /// Runs one check; what it finds is recorded as issues of the current test.
    public func run(_ check: AccountStoreCheck) async throws {
        try await check.body(makeStore())
    }

    /// Runs all checks, one after another.
    public func run() async throws {
        for check in AccountStoreCheck.all {
            try await run(check)
        }
    }
}
