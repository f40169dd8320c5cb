import AccountDatabase
import AppleIDTypes

extension AccountTransactions {
    /// Imports people of another service in one transaction.
    ///
    /// Throws ``SomebodyIsHere``, and writes nothing, if a row was there for which the transaction hasn't looked.
    func importPeople(_ batch: ImportBatch, looksUp: Bool, _ seal: Seal) async throws -> [ImportOutcome] {
        let hashes = Set(batch.people.flatMap { $0.identities.map(\.personHash) })
        return try await write { connection in
            try connection.lock(people: Array(hashes))
            if !looksUp, try connection.hasForgotten(of: batch) { throw SomebodyIsHere() }
            var found = ImportLookUp.nobody(batch)
            if looksUp {
                found = try connection.lookUp(batch)
                let accounts = found.accountsToComplete(by: batch)
                if !accounts.isEmpty {
                    // Their people may have changed them since the look.
                    try connection.lock(accounts: accounts)
                    found = try connection.lookUp(batch)
                    found.locked = Set(accounts)
                }
            } else {
                try connection.addNotifications(to: &found, of: batch)
            }
            var transaction = ImportTransaction(connection, batch, found, seal)
            return try transaction.run()
        }
    }

    /// Notes people whose accounts were deleted at another siwa. Somebody of them who is here stays.
    func forgetImported(_ people: [ForgottenPerson]) async throws {
        try await write { connection in
            _ = try connection.run(
                people.map { try SQLStep(.forgetImported, [.text($0.source), .hash($0.hash)]) })
        }
    }

    /// Looks for people of another service.
    func lookUpImported(_ batch: ImportBatch) async throws -> ImportLookUp {
        try await read { try $0.lookUp(batch) }
    }
}

/// The transaction of one batch.
private struct ImportTransaction {
    let connection: any SQLConnection
    let batch: ImportBatch
    let found: ImportLookUp
    let seal: Seal
    var rows: ImportRows
    var overlay = ImportOverlay()

    init(_ connection: any SQLConnection, _ batch: ImportBatch, _ found: ImportLookUp, _ seal: Seal) {
        self.connection = connection
        self.batch = batch
        self.found = found
        self.seal = seal
        rows = ImportRows(at: batch.at)
    }

    mutating func run() throws -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        outcomes.reserveCapacity(batch.people.count)
        for (index, person) in batch.people.enumerated() {
            let (decision, isRepeated) = overlay.decide(person, found.people[index])
            switch decision {
            case .new:
                for consent in try rows.append(person, found.people[index]) {
                    try connection.audit(
                        withdrawn: consent, to: .linkedIdentity, of: person.account, at: batch.at, by: .apple)
                }
            case .here(let account, let adding) where !isRepeated:
                let isCompleted = try complete(person, found.people[index], in: account, adding: adding)
                outcomes.append(
                    ImportOutcome(
                        kind: isCompleted ? .completed : .here,
                        needsNewPassword: isCompleted && adding.contains { person.identities[$0].needsNewPassword }))
                continue
            default: break
            }
            outcomes.append(ImportOutcome(decision, person, isRepeated: isRepeated))
        }
        try rows.write(on: connection)
        return outcomes
    }

    /// Adds the identities and passwords that an account lacks.
    /// - Returns: whether it lacked any.
    private mutating func complete(
        _ person: PreparedPerson, _ found: FoundPerson, in account: AccountID, adding: [Int]
    ) throws -> Bool {
        let passwords = found.missingPasswords(of: person, in: account)
        guard !adding.isEmpty || !passwords.isEmpty || found.lacksFormerID else { return false }
        // A merge has moved the person between the two looks.
        guard self.found.locked.contains(account) else { throw SomebodyIsHere() }
        for index in adding {
            // It comes after those that the account has, so the account's mails go where they went before.
            try rows.append(person, identity: index, found, of: account, addedAt: batch.at)
            let identity = person.identities[index].id.rawValue
            try connection.append(
                AuditEntry(
                    .identityLinked, at: batch.at, by: .operator, account: account, subject: identity,
                    detail: person.person.identities[index].provider.rawValue))
            try connection.appendEvent(.linked, of: account, at: batch.at, about: identity)
        }
        for (identity, text) in passwords {
            try connection.setPassword(
                of: identity, sealed: seal.seal(Array(text.utf8), row: identity.rawValue), at: batch.at)
            try connection.note(.set, of: identity, of: account, at: batch.at, by: .operator)
        }
        for (former, hash) in zip(person.person.formerIDs, person.formerHashes) {
            try connection.noteImported(
                former, hash, account: account, kinds: former.kinds ?? person.kinds, at: batch.at)
        }
        return !adding.isEmpty || !passwords.isEmpty
    }
}

extension ImportOutcome {
    init(_ decision: ImportDecision, _ person: PreparedPerson, isRepeated: Bool) {
        switch decision {
        case .new:
            self.init(kind: .new, needsNewPassword: person.needsNewPassword, lacksAddress: person.lacksAddress)
        case .here(_, let adding):
            self.init(
                kind: isRepeated ? .repeated : adding.isEmpty ? .here : .completed,
                needsNewPassword: !isRepeated && adding.contains { person.identities[$0].needsNewPassword })
        case .leftOut(let problem): self.init(kind: .leftOut(problem), needsNewPassword: false)
        }
    }
}

/// The people of the same run who came before and were imported, by hashes of their ids. A batch has one, and a dry
/// run.
struct ImportOverlay: Sendable {
    private var accounts: [Int: AccountID] = [:]
    private var count = 0

    /// Decides about a person, and remembers who is new.
    /// - Returns: whether the person came before in this run.
    mutating func decide(_ prepared: PreparedPerson, _ found: FoundPerson) -> (ImportDecision, isRepeated: Bool) {
        let person = prepared.person
        var knowledge = found.knowledge
        var isRepeated = false
        let formerKeys = person.formerIDs.map(\.hashValue) + (person.exported.map { [$0.id.hashValue] } ?? [])
        for (index, key) in formerKeys.enumerated() {
            guard let account = accounts[key] else { continue }
            isRepeated = true
            let known = ImportKnowledge.Known(account: account, kinds: [], isGone: false)
            if index < knowledge.known.count { knowledge.known[index] = known } else { knowledge.known.append(known) }
        }
        if isRepeated { return (.here(prepared.account, adding: []), true) }
        let keys = person.identities.map(\.overlayKey)
        for (index, key) in keys.enumerated() {
            guard let account = accounts[key] else { continue }
            knowledge.owners[index] = ImportKnowledge.Owner(account: account, isOtherPersons: true)
        }
        let decision = ImportRules.decide(person, knowledge)
        let added: [Int]
        switch decision {
        case .new: added = keys
        case .here(_, let adding): added = adding.map { keys[$0] }
        case .leftOut: return (decision, false)
        }
        count += 1
        // A short id keeps the memory of a dry run small. Nothing reads the id.
        let account = AccountID(rawValue: "\(count)")
        for key in formerKeys + added { accounts[key] = account }
        return (decision, false)
    }
}

extension ImportedIdentity {
    fileprivate var overlayKey: Int {
        var hasher = Hasher()
        hasher.combine(provider)
        hasher.combine(team)
        hasher.combine(subject)
        return hasher.finalize()
    }
}
