import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Entries of the outbox", .eachDatabase)
struct OutboxEntryTests {
    @Test("An entry is read back as it was written, and counts as begun when it is taken")
    func comesBackWhole() async throws {
        let store = try await Engine.current.store()
        var entry = OutboxEntry.sample()
        entry.deletionHash = .sample()
        try await store.insertIntoOutbox(entry)
        #expect(try await store.outboxEntry(entry.id) == entry)
        #expect(try await store.outboxEntry(.sample()) == nil)
        entry.attempts = 1
        #expect(try await store.leaseOutbox(.sample()) == [entry])
        #expect(try await store.outboxEntry(entry.id) == entry)
    }

    @Test("Due entries are taken, the longest due first, up to a limit")
    func dueFirst() async throws {
        let store = try await Engine.current.store()
        let moments = [30, 10, 20, 61].map { Timestamp.start - .minutes(1) + .seconds($0) }
        for moment in moments { try await store.insertIntoOutbox(.sample(nextAttemptAt: moment)) }
        let first = try await store.leaseOutbox(.sample(limit: 2))
        #expect(Set(first.map(\.nextAttemptAt)) == [moments[1], moments[2]])
        #expect(try await store.leaseOutbox(.sample(limit: 2)).map(\.nextAttemptAt) == [moments[0]])
        #expect(try await store.leaseOutbox(.sample(limit: 2)).isEmpty)
    }

    @Test("A lease keeps other servers off until it expires, and then only the last owner settles")
    func lease() async throws {
        let store = try await Engine.current.store()
        let entry = OutboxEntry.sample()
        try await store.insertIntoOutbox(entry)
        let (slow, next) = (QueueLease.sample(), QueueLease.sample(at: .start + .minutes(2)))
        #expect(try await store.leaseOutbox(slow).count == 1)
        #expect(try await store.leaseOutbox(.sample(at: .start + .minutes(2) - .microseconds(1))).isEmpty)
        #expect(try await store.leaseOutbox(next).map(\.attempts) == [2])
        #expect(try await store.endOutboxAttempt(entry.id, owner: slow.owner, .done, at: next.at) == false)
        #expect(try await store.outboxEntry(entry.id)?.state == .waiting)
        #expect(try await store.endOutboxAttempt(entry.id, owner: next.owner, .done, at: next.at))
        let done = try #require(try await store.outboxEntry(entry.id))
        #expect(done.state == .done && done.finishedAt == next.at && done.sealed == nil)
        #expect(try await store.endOutboxAttempt(entry.id, owner: next.owner, .done, at: next.at) == false)
    }

    @Test("A failed entry is due again at the time that was set, and no sooner")
    func retry() async throws {
        let store = try await Engine.current.store()
        let entry = OutboxEntry.sample()
        try await store.insertIntoOutbox(entry)
        let (lease, later) = (QueueLease.sample(), Timestamp.start + .hours(1))
        _ = try await store.leaseOutbox(lease)
        let outcome = OutboxOutcome.again(at: later, failure: "apple_unavailable")
        #expect(try await store.endOutboxAttempt(entry.id, owner: lease.owner, outcome, at: .start))
        #expect(try await store.leaseOutbox(.sample(at: later - .microseconds(1))).isEmpty)
        let taken = try await store.leaseOutbox(.sample(at: later))
        #expect(taken.first?.failure == "apple_unavailable" && taken.first?.sealed == entry.sealed)
    }

    @Test("A parked entry keeps its secret and is tried again when an operator asks for it")
    func parked() async throws {
        let store = try await Engine.current.store()
        let entry = OutboxEntry.sample()
        try await store.insertIntoOutbox(entry)
        try await store.insertIntoOutbox(.sample(nextAttemptAt: .start + .days(30)))
        let lease = QueueLease.sample()
        _ = try await store.leaseOutbox(lease)
        #expect(
            try await store.endOutboxAttempt(
                entry.id, owner: lease.owner, .parked(failure: "client_rejected"), at: .start))
        #expect(try await store.leaseOutbox(.sample(at: .start + .days(20))).isEmpty)
        let parked = try await store.parkedInOutbox(limit: 10)
        #expect(parked.map(\.id) == [entry.id] && parked.first?.failure == "client_rejected")
        #expect(parked.first?.sealed == entry.sealed)

        let moment = Timestamp.start + .days(20)
        #expect(try await store.retryParked(at: moment, by: .operator) == 1)
        #expect(try await store.retryParked(at: moment, by: .operator) == 0)
        let told = try await store.auditEntries(of: nil, before: nil, limit: 9)
        #expect(told.map(\.event) == [.outboxRetried] && told.first?.subject == entry.id.rawValue)
        #expect(told.first?.actor == .operator && told.first?.at == moment)
        let again = try await store.leaseOutbox(.sample(at: moment))
        #expect(again.map(\.id) == [entry.id] && again.first?.waitingSince == moment)
        #expect(again.first?.createdAt == entry.createdAt)
    }

    @Test("An operator lets all parked entries be tried again, however many there are", arguments: [1, 2, 3, 4, 500])
    func retriedInPages(limit: Int) async throws {
        let store = try await Engine.current.store()
        for _ in 0..<3 { try await store.insertIntoOutbox(.sample()) }
        let lease = QueueLease.sample()
        for entry in try await store.leaseOutbox(lease) {
            _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, .parked(failure: "x"), at: .start)
        }
        #expect(try await store.retryParked(at: .start + .days(1), by: .operator, limit: limit) == 3)
        #expect(try await store.parkedInOutbox(limit: 10).isEmpty)
        #expect(try await store.auditEntries(of: nil, before: nil, limit: 9).count == 3)
    }

    @Test("A token that came late is kept for its identity, or revoked if the identity is gone")
    func lateToken() async throws {
        let store = try await Engine.current.store()
        let identity = try await store.signIn(.sample()).session.identityID
        for known in [true, false] {
            let entry = OutboxEntry.sample(kind: .code, identity: known ? identity : .sample())
            try await store.insertIntoOutbox(entry)
            let lease = QueueLease.sample()
            _ = try await store.leaseOutbox(lease)
            let token = AppleToken(
                id: .sample(), clientID: "com.example.juice", sealed: [7], obtainedAt: .start)
            #expect(try await store.endOutboxAttempt(entry.id, owner: lease.owner, .redeemed(token), at: .start))
            #expect(try await store.outboxEntry(entry.id)?.state == .done)
            let revocation = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            #expect((revocation != nil) == !known)
            if known {
                #expect(try await store.appleTokens(of: identity) == [token])
            } else {
                #expect(revocation?.kind == .revocation && revocation?.sealed == token.sealed)
                #expect(revocation?.personHash == entry.personHash)
            }
        }
    }

    @Test("If fifty servers take entries at once, each entry has one owner")
    func fiftyAtOnce() async throws {
        let store = try await Engine.current.store()
        let entries = (0..<20).map { _ in OutboxEntry.sample() }
        for entry in entries { try await store.insertIntoOutbox(entry) }
        let taken = try await atOnce(50) { _ in try await store.leaseOutbox(.sample(limit: 3)) }.flatMap { $0 }
        #expect(Set(taken.map(\.id)).count == taken.count)
        // A server whose rows another one had taken got fewer. The next look finds the rest.
        var rest: [OutboxEntry] = []
        while case let more = try await store.leaseOutbox(.sample(limit: 3)), !more.isEmpty { rest += more }
        #expect(Set((taken + rest).map(\.id)) == Set(entries.map(\.id)))
        #expect((taken + rest).allSatisfy { $0.attempts == 1 })
    }

    @Test("A sweep removes entries that were finished thirty days ago, and never an open one")
    func sweep() async throws {
        let store = try await Engine.current.store()
        let entries = (0..<3).map { _ in OutboxEntry.sample() }
        for entry in entries { try await store.insertIntoOutbox(entry) }
        let lease = QueueLease.sample()
        _ = try await store.leaseOutbox(lease)
        _ = try await store.endOutboxAttempt(entries[0].id, owner: lease.owner, .done, at: .start)
        _ = try await store.endOutboxAttempt(
            entries[1].id, owner: lease.owner, .parked(failure: "client_rejected"), at: .start)
        let end = Timestamp.start + OutboxEntry.retention
        #expect(try await store.sweep(at: end - .microseconds(1), sessionsBefore: .start, limit: 9) == 0)
        #expect(try await store.sweep(at: end + .days(900), sessionsBefore: .start, limit: 9) == 1)
        #expect(try await store.outboxEntry(entries[0].id) == nil)
        #expect(try await store.outboxEntry(entries[1].id)?.state == .parked)
        #expect(try await store.outboxEntry(entries[2].id)?.state == .waiting)
    }
}

@Suite("Codes that wait for Apple", .eachDatabase)
struct WaitingCodeTests {
    @Test("An account shows whether a token of Apple's is held or a code waits for one")
    func stateOfToken() async throws {
        let store = try await Engine.current.store()
        let bare = try await store.signIn(.sample())
        #expect(bare.account.appleToken == .none)
        #expect(try await store.session(bare.session.id)?.account == bare.account)

        var record = SignInRecord.sample()
        let code = OutboxEntry.sample(kind: .code, identity: nil)
        record.waitingCode = code
        let waiting = try await store.signIn(record)
        #expect(waiting.account.appleToken == .waiting)
        #expect(try await store.session(bare.session.id)?.account == waiting.account)
        #expect(try await store.outboxEntry(code.id)?.identityID == waiting.session.identityID)

        let lease = QueueLease.sample()
        _ = try await store.leaseOutbox(lease)
        let token = AppleToken.sample("com.example.juice")
        _ = try await store.endOutboxAttempt(code.id, owner: lease.owner, .redeemed(token), at: .start)
        #expect(try await store.session(bare.session.id)?.account.appleToken == .held)
        let later = try await store.signIn(.sample())
        #expect(later.account.appleToken == .held)
        #expect(try await store.session(later.session.id)?.account == later.account)
    }

    @Test("A code without a result leaves the account without a token")
    func cameToNothing() async throws {
        let store = try await Engine.current.store()
        var record = SignInRecord.sample()
        let code = OutboxEntry.sample(kind: .code, identity: nil)
        record.waitingCode = code
        _ = try await store.signIn(record)
        let lease = QueueLease.sample()
        _ = try await store.leaseOutbox(lease)
        _ = try await store.endOutboxAttempt(
            code.id, owner: lease.owner, .expired(failure: "too_old"), at: .start)
        let found = try #require(try await store.session(record.session.id))
        #expect(found.account.appleToken == .none && found.ended == nil)
    }

    @Test("The code of a reauthentication waits for the same identity")
    func ofReauthentication() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        let identity = try await store.signIn(opened).session.identityID
        var record = ReauthenticationRecord.sample(of: opened.session.id)
        let code = OutboxEntry.sample(kind: .code, identity: nil)
        record.waitingCode = code
        _ = try await store.reauthenticate(record)
        #expect(try await store.outboxEntry(code.id)?.identityID == identity)
    }
}
