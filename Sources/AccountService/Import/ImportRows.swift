import AccountDatabase
import AppleIDTypes

/// The rows that an import adds, table by table, written by statements of many rows each.
struct ImportRows {
    private let at: Timestamp
    private var rows: [ImportTable: [SQLValue]] = [:]

    init(at moment: Timestamp) {
        at = moment
    }

    /// Adds all rows of a person who is new.
    /// - Returns: the consents that hold in the file and are withdrawn here.
    mutating func append(_ prepared: PreparedPerson, _ found: FoundPerson) throws -> [ConsentID] {
        let person = prepared.person
        let exported = person.exported
        let account = prepared.account
        let disabledAt = exported?.disabledAt ?? (person.isDisabled ? at : nil)
        rows[.accounts, default: []] +=
            try [.id(account), .int64(1), .time(person.createdAt ?? at)] + SQLValue.name(person.name) + [
                .time(orNull: exported?.nameTypedAt), .text(orNull: exported?.phone),
                .text(orNull: exported?.contactEmail), .time(orNull: exported?.contactEmailVerifiedAt),
                .text(orNull: EmailForm.besides(exported?.contactEmail)), .time(orNull: disabledAt),
            ]
        for (former, hash) in zip(person.formerIDs, prepared.formerHashes) {
            rows[.imported, default: []] +=
                try [
                    .text(former.source), .text(former.id), .hash(hash), .id(account),
                    .text(former.kinds ?? prepared.kinds), .time(at),
                ]
        }
        for index in person.identities.indices where !found.knowledge.deletedAtApple.contains(index) {
            try append(prepared, identity: index, found, of: account)
        }
        // A notification withdraws this consent, too, because nothing is left of what it allowed.
        let endedConsents = person.linkConsents(ofOnly: found.knowledge.deletedAtApple)
        var withdrawn: [ConsentID] = []
        for consent in exported?.consents ?? [] {
            let isWithdrawnHere = consent.withdrawnAt == nil && endedConsents.contains(consent.id)
            if isWithdrawnHere { withdrawn.append(consent.id) }
            let withdrawnAt = isWithdrawnHere ? at : consent.withdrawnAt
            rows[.consents, default: []] +=
                try [
                    .id(consent.id), .id(account), .text(consent.purpose), .text(consent.textVersion),
                    .time(consent.givenAt), .id(consent.session), .text(consent.client),
                    .text(orNull: consent.address), .text(orNull: consent.device), .time(orNull: withdrawnAt),
                ]
        }
        for merge in exported?.mergedAccounts ?? [] {
            rows[.merges, default: []] +=
                try [.id(merge.account), .id(account), .time(merge.mergedAt), .hash(merge.handleHash)]
        }
        return withdrawn
    }

    /// Adds the rows of one identity of a person.
    /// - Parameter addedAt: when the identity is added to an account that is here; nil for an account that comes with it.
    mutating func append(
        _ prepared: PreparedPerson, identity index: Int, _ found: FoundPerson, of account: AccountID,
        addedAt: Timestamp? = nil
    ) throws {
        let (person, identity) = (prepared.person, prepared.person.identities[index])
        let (ids, exported) = (prepared.identities[index], identity.exported)
        let createdAt = exported?.createdAt ?? person.createdAt ?? at
        let access = AppleState(exported, found.notifications[index])
        rows[.identities, default: []] +=
            try [
                .id(ids.id), .id(account), .text(identity.provider), .text(identity.team), .text(identity.subject),
                .text(orNull: identity.email), .flag(identity.emailVerified),
                .flag(identity.isPrivateEmail), .int64(orNull: exported?.realUserStatus),
                .time(addedAt ?? createdAt),
                .time(exported?.lastSignInAt ?? person.lastSignInAt ?? createdAt),
                .text(orNull: exported?.organizationID), .time(orNull: exported?.lastAuthorizedAt),
                access.forwardsEmail.map(SQLValue.flag) ?? .null, .time(orNull: access.forwardingChangedAt),
                .text(orNull: ids.emailForm),
                .time(orNull: access.endedAt), .text(orNull: access.endReason),
                .id(orNull: exported?.linkConsent),
            ]
        if let sealed = ids.sealedPassword {
            let setAt = exported?.passwordSetAt ?? at
            rows[.passwords, default: []] +=
                try [
                    .id(ids.id), .bytes(sealed), .time(setAt), .time(setAt), .flag(exported?.isPasswordOff ?? false),
                ]
        }
        for (token, imported) in zip(ids.tokens, identity.appleTokens) where access.keeps(imported) {
            rows[.appleTokens, default: []] +=
                try [
                    .id(token.id), .id(ids.id), .text(token.clientID), .bytes(token.sealed), .time(token.obtainedAt),
                    .time(at + CheckRules.interval),
                ]
        }
    }

    /// Writes all rows.
    ///
    /// Throws ``SomebodyIsHere`` if one of them was there.
    func write(on connection: any SQLConnection) throws {
        // A password needs its identity, so rows that refer to others are written after them.
        try write(ImportTable.referred, on: connection)
        try write(ImportTable.referring, on: connection)
    }

    private func write(_ tables: [ImportTable], on connection: any SQLConnection) throws {
        var steps: [SQLStep] = []
        var expected: [Int] = []
        for table in tables {
            guard var rest = rows[table]?[...], let inserts = ImportTable.inserts[table] else { continue }
            for (size, insert) in zip(ImportTable.sizes, inserts) {
                while rest.count >= size * table.columnCount {
                    steps.append(SQLStep(insert, Array(rest.prefix(size * table.columnCount))))
                    expected.append(size)
                    rest = rest.dropFirst(size * table.columnCount)
                }
            }
        }
        guard try connection.run(steps) == expected else { throw SomebodyIsHere() }
    }
}

extension ImportedPerson {
    /// Returns the consents to a link by which these identities joined the account, except those by which another
    /// identity has joined, too.
    /// - Parameter indices: the identities that the import leaves out.
    fileprivate func linkConsents(ofOnly indices: Set<Int>) -> Set<ConsentID> {
        guard !indices.isEmpty, let consents = exported?.consents else { return [] }
        let purpose = Consent.Purpose.linkedIdentity.rawValue
        var ids = Set(consents.filter { $0.purpose == purpose }.map(\.id))
        ids.formIntersection(indices.compactMap { identities[$0].exported?.linkConsent })
        for index in identities.indices where !indices.contains(index) {
            if let consent = identities[index].exported?.linkConsent { ids.remove(consent) }
        }
        return ids
    }
}

/// The state of an Apple identity that an import writes: that of the export, with Apple's later notifications.
private struct AppleState {
    var forwardsEmail: Bool?
    var forwardingChangedAt: Timestamp?
    var endedAt: Timestamp?
    var endReason: String?
    /// When access ended by a notification that the file doesn't know.
    private var endedSince: Timestamp?

    init(_ exported: PortableIdentity?, _ notifications: EarlyNotifications?) {
        forwardsEmail = exported?.forwardsEmail
        forwardingChangedAt = exported?.forwardingChangedAt
        endedAt = exported?.accessEndedAt
        endReason = exported?.accessEndReason
        if let news = notifications?.forwarding, forwardingChangedAt.map({ news.happenedAt > $0 }) ?? true {
            (forwardsEmail, forwardingChangedAt) = (news.forwardsEmail, news.happenedAt)
        }
        if let end = notifications?.accessEndedAt, endedAt.map({ end > $0 }) ?? true {
            (endedAt, endReason) = (end, SessionEndReason.appleConsentRevoked.rawValue)
            endedSince = end
        }
    }

    /// Whether a token of the file may still work. Apple has ended those from before the end of access.
    func keeps(_ token: ImportedAppleToken) -> Bool {
        guard let endedSince else { return true }
        return token.obtainedAt.map { $0 > endedSince } ?? false
    }
}

extension SQLValue {
    static func time(orNull moment: Timestamp?) -> Self { moment.map(Self.time) ?? .null }
}
