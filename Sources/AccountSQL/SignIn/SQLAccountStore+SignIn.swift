public import AccountService

extension SQLAccountStore {
    public func signIn(_ record: SignInRecord) async throws -> SignInOutcome {
        try await database.write { connection in
            try SignInTransaction(record: record, connection: connection).run()
        }
    }
}

/// What one sign-in does, step by step.
private struct SignInTransaction {
    let record: SignInRecord
    let connection: any SQLConnection

    func run() throws -> SignInOutcome {
        try connection.spend(record.spent, at: record.at)
        let person = try connection.signInPerson(record, name: newName())
        if let token = record.appleToken {
            try connection.keepAppleToken(token, of: person.identity)
        }
        if let former = record.formerSession {
            _ = try connection.endSession(former, at: record.at, reason: .replaced)
        }
        if let browser = record.session.browserHash {
            try connection.endSessions(ofBrowser: browser, at: record.at, reason: .replaced)
        }
        let session = Session(
            id: record.session.id, accountID: person.account.id, identityID: person.identity,
            kind: record.session.kind, clientID: record.session.clientID, createdAt: record.at,
            authenticatedAt: record.session.authenticatedAt, lastUsedAt: record.at,
            expiresAt: record.session.expiresAt)
        try connection.insertSession(
            session, secretHash: record.session.secretHash, browserHash: record.session.browserHash)
        return SignInOutcome(account: person.account, session: session, isNewAccount: person.isNew)
    }

    /// The record's name, else the kept one; nil leaves the stored name as it is.
    ///
    /// A kept name is used up either way, unless it does not open: Apple will not give it again, and a key ring can be
    /// mended.
    private func newName() throws -> PersonName? {
        let person = record.person
        guard let kept = try connection.keptName(team: person.team, subject: person.subject) else { return record.name }
        let opened = kept.expiresAt > record.at ? record.openKeptName(kept) : nil
        if record.name != nil || opened != nil || kept.expiresAt <= record.at {
            try connection.removeKeptName(team: person.team, subject: person.subject)
        }
        return record.name ?? opened
    }
}
