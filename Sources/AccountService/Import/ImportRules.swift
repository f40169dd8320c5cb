import AppleIDTypes

/// Why a person of another service is left out.
package enum ImportProblem: String, Hashable, Sendable, CaseIterable {
    /// The person has no identity that this service can import.
    case noIdentity = "no_way_in"
    /// Another person of the same service has the same `sub` or address.
    case otherPerson = "other_person"
    /// The person's identities belong to different accounts here.
    case severalAccounts = "several_accounts"
    /// An account here has the address, and nothing proves that it is the same person's.
    case addressTaken = "address_taken"
    /// The person's account here was deleted since an earlier import.
    case deleted = "deleted"
    /// The account of the person's id here has none of the person's identities.
    case changed = "changed"
    /// An id of the export belongs to something else here. A dry run doesn't look for it.
    case idTaken = "id_taken"
    /// The person's Apple Account was deleted, and there is no other identity to import.
    case appleAccountDeleted = "apple_account_deleted"
}

/// The facts about a person of another service by which an import decides.
struct ImportKnowledge {
    /// A person who came by an earlier import.
    struct Known {
        var account: AccountID
        /// The names of the identities and the password that the earlier import brought.
        var kinds: Set<String>
        var isGone: Bool
    }

    /// The owner of an identity that is here.
    struct Owner {
        var account: AccountID
        /// Whether the account has a person of the same service already, who is another one.
        var isOtherPersons: Bool
    }

    /// The earlier imports of the person, for each former id; nil where there was none.
    var known: [Known?]
    /// The owners of the identities, for each identity of the person; nil where nobody has it.
    var owners: [Owner?]
    /// The indices of the identities whose Apple Account was deleted.
    var deletedAtApple: Set<Int> = []
    /// Whether the account of an export is here, and whether it was deleted here. Nil where there is none.
    var exportedIsHere: Bool?
    var exportedIsGone = false
    /// Whether the account that was found has an email identity.
    var hasEmailIdentity = false
}

/// The decision of an import about one person of another service.
enum ImportDecision: Equatable {
    case new
    /// The person is here. The import adds the identities with these indices, and notes the former ids.
    case here(AccountID, adding: [Int])
    case leftOut(ImportProblem)
}

enum ImportRules {
    /// Decides about a person.
    ///
    /// An account is found by the former id, or by an identity of a provider. An address finds an account only for a
    /// person who has nothing else and whose address was verified there, because whoever can type an address at the
    /// other service must not get into an account here. Nothing that is here is replaced.
    static func decide(_ person: ImportedPerson, _ knowledge: ImportKnowledge) -> ImportDecision {
        guard !person.identities.isEmpty || person.exported != nil else { return .leftOut(.noIdentity) }
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
        guard let account = found.first else { return decideByAddress(person, byAddress, knowledge) }
        guard isKnown || byAddress.allSatisfy({ $0.account == account }) else { return .leftOut(.severalAccounts) }
        // The id may be somebody else's at another service of the same kind.
        guard person.exported != nil || (proven + byAddress).contains(where: { $0.account == account }) else {
            return .leftOut(.changed)
        }
        // The account of an export came with all that it had. Identities that it lacks now were removed here.
        return .here(account, adding: knowledge.exportedIsHere == true ? [] : missing(person, knowledge, known))
    }

    private static func decideByAddress(
        _ person: ImportedPerson, _ owners: [ImportKnowledge.Owner], _ knowledge: ImportKnowledge
    ) -> ImportDecision {
        guard let owner = owners.first else {
            let isDeleted = knowledge.deletedAtApple.count == person.identities.count && person.exported == nil
            return isDeleted ? .leftOut(.appleAccountDeleted) : .new
        }
        let isOnlyAddress = person.identities.allSatisfy { $0.provider == .email && $0.emailVerified }
        guard isOnlyAddress, owners.allSatisfy({ $0.account == owner.account }) else { return .leftOut(.addressTaken) }
        return .here(owner.account, adding: [])
    }

    /// Returns the identities that the account lacks and that no earlier import has brought. An unverified address is
    /// never added to an account.
    private static func missing(
        _ person: ImportedPerson, _ knowledge: ImportKnowledge, _ known: [ImportKnowledge.Known]
    ) -> [Int] {
        let brought = known.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
        // The owner of the address may have proven it here since, and need not be who has the identities at the other
        // service, unless the other service has verified the same address meanwhile.
        let isSamePerson = zip(person.identities, knowledge.owners).contains { identity, owner in
            identity.provider == .email && identity.emailVerified && known.contains { $0.account == owner?.account }
        }
        guard isSamePerson || !brought.contains(PreparedPerson.unverifiedKind) else { return [] }
        return person.identities.indices.filter { index in
            let identity = person.identities[index]
            guard knowledge.owners[index] == nil, !knowledge.deletedAtApple.contains(index),
                !brought.contains(identity.kind)
            else { return false }
            return identity.provider != .email || (identity.emailVerified && !knowledge.hasEmailIdentity)
        }
    }
}
