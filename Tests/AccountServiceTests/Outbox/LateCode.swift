import AccountEngines
import AccountService
import AppleIDTypes
import Testing

/// A code that one server redeems so slowly that another server has taken it.
struct LateCode {
    static let broughtAt = Timestamp.start + .minutes(5)

    let store: AccountTransactions
    let person: SignInRecord.Person
    let owner: TokenOwner
    let session: SessionID
    let identity: IdentityID
    let code: OutboxID
    let token = AppleToken.sample("com.example.juice", at: .start + .minutes(1))
    let slow = QueueLease.sample()
    let next = QueueLease.sample(at: .start + .minutes(2))

    init(in store: AccountTransactions, _ subject: Subject) async throws {
        self.store = store
        person = .sample(subject)
        owner = TokenOwner(person)
        var record = SignInRecord.sample(person)
        let entry = OutboxEntry.sample(kind: .code, personHash: owner.personHash, identity: nil)
        record.waitingCode = entry
        (session, code) = (record.session.id, entry.id)
        identity = try await store.signIn(record).session.identityID
        #expect(try await store.leaseOutbox(slow).map(\.id) == [code])
        #expect(try await store.leaseOutbox(next).map(\.id) == [code])
    }

    /// Ends an attempt with the code as the server that has it now.
    func end(_ outcome: OutboxOutcome) async throws -> Bool {
        try await store.endOutboxAttempt(code, owner: next.owner, outcome, at: .start + .minutes(3))
    }

    func giveUp() async throws {
        #expect(try await end(.expired(failure: "grant_rejected")))
    }

    /// Revokes what is held, at the person's request.
    /// - Returns: the number of revocations that were queued.
    func revoke() async throws -> Int {
        try await store.revoke(.sample(in: session, at: .start + .minutes(3))).count
    }

    /// Ends an attempt with the code by its token, as the slow server.
    func bring() async throws -> Bool {
        try await store.endOutboxAttempt(
            code, owner: slow.owner, .redeemed(token, of: owner), at: Self.broughtAt)
    }

    /// Takes the revocation of ``token`` and ends the attempt as done.
    func endRevocation(at moment: Timestamp) async throws -> Bool {
        let id = OutboxID(rawValue: token.id.rawValue)
        let lease = QueueLease.sample(at: moment)
        guard try await store.leaseOutbox(lease).map(\.id) == [id] else { return false }
        return try await store.endOutboxAttempt(id, owner: lease.owner, .done, at: moment)
    }

    func revocation() async throws -> OutboxEntry? {
        try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
    }
}

extension TokenOwner {
    init(_ person: SignInRecord.Person, authorizedAt moment: Timestamp = .start) {
        self.init(team: person.team, subject: person.subject, authorizedAt: moment)
    }
}
