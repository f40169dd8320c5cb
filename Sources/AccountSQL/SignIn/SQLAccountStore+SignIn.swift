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
        let session = Session(
            id: record.session.id, accountID: person.account.id, identityID: person.identity,
            kind: record.session.kind, clientID: record.session.clientID, createdAt: record.at,
            authenticatedAt: record.session.authenticatedAt, lastUsedAt: record.at,
            expiresAt: record.session.expiresAt)
        try connection.insertSession(session, secretHash: record.session.secretHash)
        return SignInOutcome(account: person.account, session: session, isNewAccount: person.isNew)
    }

    /// The record's name, else the kept one, which is used up either way; nil leaves the stored name as it is.
    private func newName() throws -> PersonName? {
        let kept = try connection.takeKeptName(team: record.person.team, subject: record.person.subject)
        if let name = record.name { return name }
        guard let kept, kept.expiresAt > record.at else { return nil }
        return record.openKeptName(kept)
    }
}
