public import AccountService

extension SQLAccountStore {
    public func signIn(_ record: SignInRecord) async throws -> SignInOutcome {
        let person = PersonKeys(of: record.person)
        return try await database.write { connection in
            var transaction = SignInTransaction(record: record, keys: person, connection: connection)
            return try transaction.run()
        }
    }
}

/// What one sign-in does, step by step.
private struct SignInTransaction {
    var record: SignInRecord
    let keys: PersonKeys
    let connection: any SQLConnection

    mutating func run() throws -> SignInOutcome {
        try connection.lock(person: keys.hash)
        try connection.spend(record.spent, at: record.at)
        if let code = record.ownCode {
            try connection.spendOwnCode(code, at: record.at)
        }
        var traces = try connection.findTraces(of: keys)
        if traces.hasKeptName { try takeKept() }
        var person = try connection.signInPerson(record, name: record.name, &traces, keys)
        if traces.hasOrders {
            try connection.withdrawRevocations(
                of: keys.hash, for: person.identity, record.proof, newToken: record.appleToken, at: record.at)
        }
        if let token = record.appleToken {
            try connection.keepAppleToken(token, of: person.identity)
        }
        if var code = record.waitingCode {
            code.identityID = person.identity
            try connection.insertOutbox(code)
        }
        if record.appleToken != nil {
            person.account.appleToken = .held
        } else if traces.hasOrders || record.waitingCode != nil {
            person.account.appleToken = try connection.appleTokenStatus(of: person.identity)
        }
        let actor = AuditActor.account(through: record.session.id, from: record.caller)
        let replaced = try connection.replaceSessions(
            record.formerSession, ofBrowser: record.session.browserHash,
            SessionEnding(at: record.at, reason: .replaced, by: actor), by: person.account.id)
        let session = Session(
            id: record.session.id, accountID: person.account.id, identityID: person.identity,
            kind: record.session.kind, clientID: record.session.clientID, createdAt: record.at,
            authenticatedAt: record.session.authenticatedAt, lastUsedAt: record.at,
            expiresAt: record.session.expiresAt, hasNonceProof: record.session.hasNonceProof,
            deviceName: record.session.deviceName)
        try connection.insertSession(
            session, secretHash: record.session.secretHash, browserHash: record.session.browserHash)
        try connection.append(
            AuditEntry(
                .signedIn, at: record.at, by: actor, account: person.account.id, subject: session.id.rawValue,
                detail: person.isNew ? "new_account" : nil))
        let revision = try connection.appendEvent(
            .signedIn, of: person.account.id, at: record.at, about: session.id.rawValue,
            revision: replaced.contains(person.account.id) ? nil : person.revision)
        if person.isNew, traces.hasHooks, let revision {
            try connection.tellHooks(
                AccountNotice(
                    .accountCreated, of: person.account.id, sequence: revision, at: record.at,
                    identityID: person.identity))
        }
        return SignInOutcome(
            account: person.account, session: session, isNewAccount: person.isNew, replaced: replaced)
    }

    /// Fills what the record lacks from what was kept.
    ///
    /// It is used up either way, unless it does not open: Apple will not give it again, and a key ring can be mended.
    private mutating func takeKept() throws {
        let (team, subject) = (record.person.team, record.person.subject)
        guard let kept = try connection.keptName(team: team, subject: subject) else { return }
        let isOver = kept.expiresAt <= record.at
        let facts = isOver ? nil : record.openKeptName(kept)
        if isOver || facts != nil {
            try connection.removeKeptName(team: team, subject: subject)
        }
        record.name = record.name ?? facts?.name
        if record.person.email == nil, let address = facts?.address {
            record.person.email = address.email
            record.person.emailVerified = address.isVerified
            record.person.isPrivateEmail = address.isPrivate
        }
    }
}
