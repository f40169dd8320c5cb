public import AppleID

/// Seals everything anew under the first key of the ring, while servers run.
///
/// What the first key has sealed is passed over, so that a run which was interrupted goes on where it was. A value that
/// a server changes meanwhile is that server's: it stays, and is looked at in another pass.
public struct Resealing: Sendable {
    public struct Progress: Hashable, Sendable {
        public var done: Int
        public var total: Int
    }

    public struct Outcome: Hashable, Sendable {
        /// How many values were sealed anew.
        public var resealed = 0
        /// How many are sealed by another key still: because a server with an older ring goes on writing.
        public var others = 0
        /// How many do not open with any key of the ring.
        public var unopened = 0
        /// The names of the keys that the last two stand under.
        public var keysInUse: Set<String> = []
    }

    /// Values in one transaction, so that no sign-in waits long behind it.
    static let bite = 200
    /// Servers may write while this runs, but not for ever faster than it.
    private static let mostPasses = 5

    private let store: any AccountStore
    private let keyRing: KeyRing
    private let environment: AppleIDEnvironment

    public init(store: any AccountStore, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.store = store
        self.keyRing = keyRing
        self.environment = environment
    }

    /// - Parameter progress: told after each bite of the first pass.
    public func run(progress: (Progress) -> Void = { _ in }) async throws -> Outcome {
        var total = 0
        for column in SealedColumn.allCases { total += try await store.sealedCount(in: column) }
        var resealed = 0
        var last = Outcome()
        for pass in 0..<Self.mostPasses {
            last = Outcome()
            var done = 0
            for column in SealedColumn.allCases {
                try await go(through: column, &last) { count in
                    done += count
                    if pass == 0 { progress(Progress(done: min(done, total), total: total)) }
                }
            }
            resealed += last.resealed
            if last.resealed == 0, last.others == 0 { break }
        }
        last.resealed = resealed
        try await store.append(
            AuditEntry(
                .keysResealed, at: Timestamp(environment.now()), by: .operator, account: nil,
                subject: keyRing.keys.first?.id))
        return last
    }

    private func go(through column: SealedColumn, _ outcome: inout Outcome, told: (Int) -> Void) async throws {
        let seal = Seal(column.purpose, keyRing: keyRing)
        var after: [String]?
        while true {
            let values = try await store.sealedValues(in: column, after: after, limit: Self.bite)
            guard let last = values.last else { return }
            after = last.key
            var replacements: [ResealedValue] = []
            for value in values where !seal.isCurrent(value.sealed) {
                let (row, client) = column.binding(of: value)
                do {
                    let plaintext = try seal.open(value.sealed, row: row, client: client)
                    replacements.append(
                        ResealedValue(value, sealed: try seal.seal(plaintext, row: row, client: client)))
                } catch let error as AccountError where error.code == .configuration {
                    outcome.unopened += 1
                    outcome.keysInUse.insert(Seal.keyName(of: value.sealed) ?? "unknown")
                }
            }
            if !replacements.isEmpty {
                let replaced = try await store.reseal(replacements, in: column)
                outcome.resealed += replaced
                if replaced < replacements.count {
                    outcome.others += replacements.count - replaced
                    outcome.keysInUse.formUnion(replacements.compactMap { Seal.keyName(of: $0.value.sealed) })
                }
            }
            told(values.count)
            try Task.checkCancellation()
        }
    }
}

extension SealedColumn {
    fileprivate var purpose: Seal.Purpose {
        switch self {
        case .serverKeys: .serverKey
        case .appleTokens, .authorizationTokens, .outboxRevocations: .appleRefreshToken
        case .outboxCodes: .waitingCode
        case .keptNames: .keptName
        case .authorizationStates, .authorizationResults: .authorization
        }
    }

    /// What the seal of a value is bound to, as those who seal it say.
    fileprivate func binding(of value: SealedValue) -> (row: String, client: String) {
        let row = value.row ?? value.key.joined(separator: "/")
        return (row, self == .authorizationStates ? "state" : value.client ?? "")
    }
}
