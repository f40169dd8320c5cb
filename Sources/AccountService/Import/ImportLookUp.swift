import AccountDatabase
import AppleIDTypes

/// The rows that the store has of the people of a batch.
struct ImportLookUp: Sendable {
    var people: [FoundPerson]
    /// The accounts that the transaction has locked.
    var locked: Set<AccountID> = []

    /// Takes everybody for new.
    static func nobody(_ batch: ImportBatch) -> Self {
        Self(people: batch.people.map { FoundPerson(of: $0.person) })
    }
}

extension ImportLookUp {
    /// The accounts that lack something that the people of the batch bring.
    func accountsToComplete(by batch: ImportBatch) -> [AccountID] {
        var overlay = ImportOverlay()
        var accounts: Set<AccountID> = []
        for (index, person) in batch.people.enumerated() {
            let (decision, isRepeated) = overlay.decide(person, people[index])
            guard case .here(let account, let adding) = decision, !isRepeated else { continue }
            let lacksPassword = !people[index].missingPasswords(of: person, in: account).isEmpty
            if !adding.isEmpty || lacksPassword || people[index].lacksFormerID { accounts.insert(account) }
        }
        return Array(accounts)
    }
}

/// The rows that the store has of one person of another service.
struct FoundPerson: Sendable {
    struct FoundIdentity: Sendable {
        var id: IdentityID
        var account: AccountID
        var hasPassword: Bool
    }

    var knowledge: ImportKnowledge
    /// For each identity of the person.
    var identities: [FoundIdentity?]

    init(of person: ImportedPerson) {
        knowledge = ImportKnowledge(
            known: person.formerIDs.map { _ in nil }, owners: person.identities.map { _ in nil },
            exportedIsHere: person.exported == nil ? nil : false)
        identities = person.identities.map { _ in nil }
    }

    /// Whether an account that was found by an identity has to be noted.
    var lacksFormerID: Bool { knowledge.known.contains { $0 == nil } }

    /// Passwords that an earlier import has not brought, for email identities that have none here.
    func missingPasswords(of person: PreparedPerson, in account: AccountID) -> [(IdentityID, String)] {
        let known = knowledge.known.compactMap(\.self)
        guard !known.isEmpty, !known.contains(where: { $0.ways.contains(PreparedPerson.passwordWay) }) else {
            return []
        }
        return zip(person.identities, identities).compactMap { prepared, found in
            guard let text = prepared.passwordText, let found, found.account == account, !found.hasPassword else {
                return nil
            }
            return (found.id, text)
        }
    }
}

extension SQLConnection {
    /// Looks for the people of a batch by their former ids and identities.
    func lookUp(_ batch: ImportBatch) throws -> ImportLookUp {
        var found = batch.people.map { FoundPerson(of: $0.person) }
        var steps: [SQLStep] = []
        // Closures of steps change what is found once the whole batch has run.
        let box = FoundPeople(found)
        for (index, prepared) in batch.people.enumerated() {
            let person = prepared.person
            for (number, hash) in prepared.formerHashes.enumerated() {
                let former = person.formerIDs[number]
                steps.append(
                    try SQLStep(.forgottenPerson, [.text(former.source), .hash(hash)]) { _ in
                        box.set(index) { found in
                            found.knowledge.known[number] = ImportKnowledge.Known(
                                account: AccountID(rawValue: ""), ways: [], isGone: true)
                        }
                    })
                steps.append(
                    try SQLStep(.importedPerson, [.text(former.source), .text(former.id)]) { columns in
                        try box.set(index) { found in
                            let account = try columns.word(AccountID.self)
                            let ways = try columns.text().split(separator: ",").map(String.init)
                            let isGone = try columns.flag()
                            found.knowledge.known[number] = ImportKnowledge.Known(
                                account: account, ways: Set(ways), isGone: isGone)
                            if try columns.flag() { found.knowledge.hasEmailIdentity = true }
                        }
                    })
            }
            let source = person.formerIDs.first?.source ?? ""
            for (number, identity) in person.identities.enumerated() {
                let key: [SQLValue] = try [
                    .text(identity.provider), .text(identity.team), .text(identity.subject), .text(source),
                ]
                steps.append(
                    SQLStep(.identityOfImported, key) { columns in
                        try box.set(index) { found in
                            let id = try columns.word(IdentityID.self)
                            let account = try columns.word(AccountID.self)
                            let (isOthers, hasEmail) = try (columns.flag(), columns.flag())
                            found.knowledge.owners[number] = ImportKnowledge.Owner(
                                account: account, isOtherPersons: isOthers)
                            if hasEmail { found.knowledge.hasEmailIdentity = true }
                            found.identities[number] = try FoundPerson.FoundIdentity(
                                id: id, account: account, hasPassword: columns.flag())
                        }
                    })
            }
            if let exported = person.exported {
                steps.append(
                    try SQLStep(.accountOfImported, [.id(exported.id)]) { columns in
                        try box.set(index) { found in
                            found.knowledge.exportedIsHere = true
                            if try columns.flag() { found.knowledge.hasEmailIdentity = true }
                        }
                    })
            }
        }
        _ = try run(steps)
        found = box.people
        for (index, prepared) in batch.people.enumerated() {
            guard let exported = prepared.person.exported, found[index].knowledge.exportedIsHere == false else {
                continue
            }
            if let merged = try accountMerged(from: exported.id) {
                found[index].knowledge.known.append(
                    ImportKnowledge.Known(account: merged.into, ways: prepared.allWays, isGone: false))
            } else {
                found[index].knowledge.exportedIsGone = try wasDeleted(exported.id)
            }
        }
        return ImportLookUp(people: found)
    }

    /// Notes under which id the person of an account comes in a file, and what was taken over.
    func noteImported(
        _ former: FormerID, _ hash: TokenHash, account: AccountID, ways: String, at moment: Timestamp
    ) throws {
        try execute(
            .noteImported,
            [.text(former.source), .text(former.id), .hash(hash), .id(account), .text(ways), .time(moment)])
    }

    /// Whether the account of one of the people was deleted here.
    func hasForgotten(of batch: ImportBatch) throws -> Bool {
        let sources = Set(batch.people.flatMap { $0.person.formerIDs.map(\.source) })
        // Mostly there is none.
        guard try sources.contains(where: { try returnsRow(.anyForgotten, [.text($0)]) }) else { return false }
        let steps = try batch.people.flatMap { prepared in
            try zip(prepared.person.formerIDs, prepared.formerHashes).map { former, hash in
                try SQLStep(.forgottenPerson, [.text(former.source), .hash(hash)]) { _ in }
            }
        }
        return try run(steps).contains { $0 > 0 }
    }
}

/// Collects the rows that the steps of a look-up find. One transaction uses it, on one thread.
private final class FoundPeople {
    private(set) var people: [FoundPerson]

    init(_ people: [FoundPerson]) {
        self.people = people
    }

    func set(_ index: Int, _ change: (inout FoundPerson) throws -> Void) rethrows {
        try change(&people[index])
    }
}

extension SQLStatement {
    // Conditions inside CASE keep PostgreSQL from taking an index that begins with the provider or the source, of which
    // there are few, before it has counted them.
    private static let hasEmailIdentity: Self = """
        coalesce((SELECT max(CASE WHEN e.provider = 'email' AND e.removed_at IS NULL THEN 1 ELSE 0 END)
            FROM identities e WHERE e.account_id =
        """
    fileprivate static let importedPerson: Self = """
        SELECT p.account_id, p.ways, NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = p.account_id),
            \(hasEmailIdentity) p.account_id), 0) = 1
        FROM imported_people p WHERE p.source = ?1 AND p.former_id = ?2
        """
    fileprivate static let forgottenPerson: Self = "SELECT source FROM forgotten_people WHERE source = ?1 AND hash = ?2"
    fileprivate static let anyForgotten: Self = "SELECT source FROM forgotten_people WHERE source = ?1 LIMIT 1"
    fileprivate static let identityOfImported: Self = """
        SELECT i.id, i.account_id,
            coalesce((SELECT max(CASE WHEN p.source = ?4 THEN 1 ELSE 0 END)
                FROM imported_people p WHERE p.account_id = i.account_id), 0) = 1,
            \(hasEmailIdentity) i.account_id), 0) = 1,
            EXISTS (SELECT w.identity_id FROM passwords w WHERE w.identity_id = i.id)
        FROM identities i WHERE i.provider = ?1 AND i.team = ?2 AND i.subject = ?3
        """
    fileprivate static let accountOfImported: Self = """
        SELECT \(hasEmailIdentity) a.id), 0) = 1 FROM accounts a WHERE a.id = ?1
        """
    fileprivate static let noteImported: Self = """
        INSERT INTO imported_people (source, former_id, hash, account_id, ways, imported_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (source, former_id) DO UPDATE SET ways = CASE WHEN imported_people.ways = '' THEN excluded.ways
            WHEN imported_people.ways = excluded.ways THEN excluded.ways
            ELSE imported_people.ways || ',' || excluded.ways END
        """
}
