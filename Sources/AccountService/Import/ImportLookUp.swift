import AccountDatabase
import AppleIDTypes

/// The rows that the store has of the people of a batch.
struct ImportLookUp: Sendable {
    /// The rows of each person, in the order of the batch.
    var people: [FoundPerson]
    /// The accounts that the transaction has locked.
    var locked: Set<AccountID> = []

    /// Returns a look-up that has found nobody, so that everybody counts as new.
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
    /// The identities of the person that are here, in the order of the file; nil for one that isn't.
    var identities: [FoundIdentity?]
    /// Apple's notifications about the person, by the index of the Apple identity.
    var notifications: [Int: EarlyNotifications] = [:]

    init(of person: ImportedPerson) {
        knowledge = ImportKnowledge(
            known: person.formerIDs.map { _ in nil }, owners: person.identities.map { _ in nil },
            exportedIsHere: person.exported == nil ? nil : false)
        identities = person.identities.map { _ in nil }
    }

    /// Whether a former id of the person isn't noted here yet.
    var lacksFormerID: Bool { knowledge.known.contains { $0 == nil } }

    /// Passwords that no earlier import has brought, for email identities that have none here. The account of an export
    /// came with its password, so it gets none later.
    func missingPasswords(of person: PreparedPerson, in account: AccountID) -> [(IdentityID, String)] {
        let known = knowledge.known.compactMap(\.self)
        guard knowledge.exportedIsHere != true, !known.isEmpty,
            !known.contains(where: { $0.kinds.contains(PreparedPerson.passwordKind) })
        else {
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
                                account: AccountID(rawValue: ""), kinds: [], isGone: true)
                        }
                    })
                steps.append(
                    try SQLStep(.importedPerson, [.text(former.source), .text(former.id)]) { columns in
                        try box.set(index) { found in
                            let account = try columns.word(AccountID.self)
                            let kinds = try columns.text().split(separator: ",").map(String.init)
                            let isGone = try columns.flag()
                            found.knowledge.known[number] = ImportKnowledge.Known(
                                account: account, kinds: Set(kinds), isGone: isGone)
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
                    ImportKnowledge.Known(account: merged.into, kinds: prepared.allKinds, isGone: false))
            } else {
                found[index].knowledge.exportedIsGone = try wasDeleted(exported.id)
            }
        }
        var lookUp = ImportLookUp(people: found)
        try addNotifications(to: &lookUp, of: batch)
        return lookUp
    }

    /// Notes the former id of the person of an account, with the names of what was imported.
    func noteImported(
        _ former: FormerID, _ hash: TokenHash, account: AccountID, kinds: String, at moment: Timestamp
    ) throws {
        try execute(
            .noteImported,
            [.text(former.source), .text(former.id), .hash(hash), .id(account), .text(kinds), .time(moment)])
    }

    /// Whether the account of one of the people was deleted here.
    func hasForgotten(of batch: ImportBatch) throws -> Bool {
        let sources = Set(batch.people.flatMap { $0.person.formerIDs.map(\.source) })
        // Few databases have any.
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
final class FoundPeople {
    private(set) var people: [FoundPerson]

    init(_ people: [FoundPerson]) {
        self.people = people
    }

    func set(_ index: Int, _ change: (inout FoundPerson) throws -> Void) rethrows {
        try change(&people[index])
    }
}
