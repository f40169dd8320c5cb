import AppleIDTypes

/// Why a person of another service is left out.
package enum ImportProblem: String, Hashable, Sendable, CaseIterable {
    /// The person signs in there by no way that this service takes over.
    case noWayIn = "no_way_in"
    /// Another person of the same service has the same `sub` or address.
    case otherPerson = "other_person"
    /// The person's ways in open different accounts here.
    case severalAccounts = "several_accounts"
    /// The address signs in to an account here, and nothing proves that it is the same person's.
    case addressTaken = "address_taken"
    /// The person's account here was deleted since an earlier import.
    case deleted = "deleted"
    /// The account of the person's id here has none of the person's identities.
    case changed = "changed"
    /// An id of the export belongs to something else here. A dry run doesn't look for it.
    case idTaken = "id_taken"
}

/// The facts about a person of another service by which an import decides.
struct ImportKnowledge {
    /// A person who came by an earlier import.
    struct Known {
        var account: AccountID
        /// The ways in that the earlier import took over.
        var ways: Set<String>
        var isGone: Bool
    }

    /// An identity that is here.
    struct Owner {
        var account: AccountID
        /// Whether the account has a person of the same service already, who is another one.
        var isOtherPersons: Bool
    }

    /// For each former id of the person.
    var known: [Known?]
    /// For each identity of the person.
    var owners: [Owner?]
    /// Whether the account of an export is here, and whether it was deleted here. Nil where there is none.
    var exportedIsHere: Bool?
    var exportedIsGone = false
    /// Whether the account that was found has an email identity.
    var hasEmailIdentity = false
}

/// The decision of an import about one person of another service.
enum ImportDecision: Equatable {
    case new
    /// The person is here. These identities are added, and the former ids noted.
    case here(AccountID, adding: [Int])
    case leftOut(ImportProblem)
}

enum ImportRules {
    /// Decides about a person.
    ///
    /// An account is found by the former id, or by an identity of a provider. An address finds an account only for a
    /// person who has nothing else and whose address was verified there, because whoever can type an address at the other
    /// service must not get into an account here. Nothing that is here is replaced.
    static func decide(_ person: ImportedPerson, _ knowledge: ImportKnowledge) -> ImportDecision {
        guard !person.identities.isEmpty || person.exported != nil else { return .leftOut(.noWayIn) }
        let known = knowledge.known.compactMap(\.self)
        guard !known.contains(where: \.isGone), !knowledge.exportedIsGone else { return .leftOut(.deleted) }
        var found = Set(known.map(\.account))
        let isKnown = !found.isEmpty || knowledge.exportedIsHere == true
        if let exported = person.exported, knowledge.exportedIsHere == true { found.insert(exported.id) }
        let owners = zip(person.identities, knowledge.owners)
        let proven = owners.compactMap { $0.provider == .email ? nil : $1 }
        let byAddress = owners.compactMap { $0.provider == .email ? $1 : nil }
        if !isKnown, (proven + byAddress).contains(where: \.isOtherPersons) { return .leftOut(.otherPerson) }
        found.formUnion(proven.map(\.account))
        guard found.count < 2 else { return .leftOut(isKnown ? .otherPerson : .severalAccounts) }
        guard let account = found.first else { return decideByAddress(person, byAddress) }
        guard isKnown || byAddress.allSatisfy({ $0.account == account }) else { return .leftOut(.severalAccounts) }
        // The id may be somebody else's at another service of the same kind.
        guard person.exported != nil || (proven + byAddress).contains(where: { $0.account == account }) else {
            return .leftOut(.changed)
        }
        return .here(account, adding: missing(person, knowledge, known))
    }

    private static func decideByAddress(
        _ person: ImportedPerson, _ owners: [ImportKnowledge.Owner]
    ) -> ImportDecision {
        guard let owner = owners.first else { return .new }
        let isOnlyAddress = person.identities.allSatisfy { $0.provider == .email && $0.emailVerified }
        guard isOnlyAddress, owners.allSatisfy({ $0.account == owner.account }) else { return .leftOut(.addressTaken) }
        return .here(owner.account, adding: [])
    }

    /// The identities that the account lacks and that no earlier import has brought. An unverified address joins no account.
    private static func missing(
        _ person: ImportedPerson, _ knowledge: ImportKnowledge, _ known: [ImportKnowledge.Known]
    ) -> [Int] {
        let brought = known.reduce(into: Set<String>()) { $0.formUnion($1.ways) }
        // The owner of the address may have proven it here since, and need not be who has the identities at the other
        // service, unless the other service has verified the same address meanwhile.
        let isSamePerson = zip(person.identities, knowledge.owners).contains { identity, owner in
            identity.provider == .email && identity.emailVerified && known.contains { $0.account == owner?.account }
        }
        guard isSamePerson || !brought.contains(PreparedPerson.unverifiedWay) else { return [] }
        return person.identities.indices.filter { index in
            let identity = person.identities[index]
            guard knowledge.owners[index] == nil, !brought.contains(identity.way) else { return false }
            return identity.provider != .email || (identity.emailVerified && !knowledge.hasEmailIdentity)
        }
    }
}
