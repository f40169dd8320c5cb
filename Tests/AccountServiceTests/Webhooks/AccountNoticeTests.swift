import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Notices for hooks", .eachDatabase)
struct AccountNoticeTests {
    @Test("Notices are written for each hook that asked for their kind, in order, and for no other")
    func written() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend", "mail"], at: .start)
        let opened = SignInRecord.sample()
        let outcome = try await store.signIn(opened)
        let (account, identity) = (outcome.account.id, outcome.session.identityID)
        let again = SignInRecord.sample(at: .start + .hours(1))
        _ = try await store.signIn(again)
        for (index, change) in [AppleNotification.Change.emailForwarding(false), .consentRevoked].enumerated() {
            let moment = Timestamp.start + .hours(Int64(index) + 2)
            _ = try await store.applyNotification(.sample(change, happenedAt: moment, receivedAt: moment))
        }
        let back = SignInRecord.sample(at: .start + .hours(4))
        _ = try await store.signIn(back)
        #expect(try await store.deleteAccount(.sample(in: back.session.id, at: .start + .hours(5))).count == 0)

        for hook in ["backend", "mail"] {
            let told = try await store.takeNotices(for: hook, at: .start + .hours(6))
            #expect(
                told.map(\.kind) == [
                    .accountCreated, .emailForwardingChanged, .appleAccessEnded, .accountDeleted,
                ])
            #expect(told.map(\.reason) == [nil, "disabled", "apple_consent_revoked", nil])
            #expect(told.map(\.identityID) == [identity, identity, identity, nil])
            #expect(told.map { ($0.happenedAt - .start) / .hours(1) } == [0, 2, 3, 5])
            #expect(told.allSatisfy { $0.accountID == account })
            #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        }
    }

    @Test("No notice is written for unknown hooks")
    func unknownHooks() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        try await store.noteHooks(["backend"], at: .start)
        _ = try await store.signIn(.sample(.sample("someone.else")))
        #expect(try await store.takeNotices(for: "backend", at: .start + .hours(1)).count == 1)
        #expect(try await store.takeNotices(for: "other", at: .start + .hours(1)).isEmpty)
    }

    @Test("A refused change makes no notice")
    func refusals() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend"], at: .start)
        let record = SignInRecord.sample()
        _ = try await store.signIn(record)
        await expectError(.alreadyUsed) {
            _ = try await store.signIn(.sample(.sample("other"), used: record.used))
        }
        await expectError(.sessionEnded) { _ = try await store.deleteAccount(.sample(in: .sample())) }
        #expect(try await store.takeNotices(for: "backend", at: .start + .hours(1)).count == 1)
    }

    @Test("A notice waits for its turn, its postponement and the earlier notices of its account")
    func turn() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend"], at: .start)
        let session = try await store.signIn(.sample()).session
        _ = try await store.deleteAccount(.sample(in: session.id, at: .start + .seconds(1)))
        let first = QueueLease.sample(at: .start + .seconds(2))
        let taken = try await store.leaseNotices(for: "backend", first)
        #expect(taken.map(\.notice.kind) == [.accountCreated] && taken.map(\.attempts) == [1])
        let id = try #require(taken.first?.notice.id)
        #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .seconds(3))).isEmpty)

        let again = NoticeOutcome.again(at: .start + .minutes(1), failure: "status_500")
        #expect(try await store.endNoticeAttempt(id, for: "backend", owner: "somebody", again) == false)
        #expect(try await store.endNoticeAttempt(id, for: "other", owner: first.owner, again) == false)
        #expect(try await store.endNoticeAttempt(id, for: "backend", owner: first.owner, again))
        #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .seconds(59))).isEmpty)
        let second = QueueLease.sample(at: .start + .minutes(1))
        let rested = try await store.leaseNotices(for: "backend", second)
        #expect(rested.map(\.notice) == taken.map(\.notice))
        #expect(rested.map(\.attempts) == [2] && rested.map(\.failure) == ["status_500"])

        // The second taking counts; a lease that runs out is anybody's.
        #expect(try await store.endNoticeAttempt(id, for: "backend", owner: first.owner, .taken) == false)
        let third = QueueLease.sample(at: .start + .minutes(3))
        #expect(try await store.leaseNotices(for: "backend", third).map(\.notice.id) == [id])
        #expect(try await store.endNoticeAttempt(id, for: "backend", owner: third.owner, .taken))
        #expect(
            try await store.takeNotices(for: "backend", at: .start + .minutes(4)).map(\.kind) == [.accountDeleted])
    }

    @Test("A parked notice is listed, lets later ones pass, and is sent again when an operator asks for it")
    func parked() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend"], at: .start)
        let session = try await store.signIn(.sample()).session
        _ = try await store.deleteAccount(.sample(in: session.id, at: .start + .seconds(1)))
        let lease = QueueLease.sample(at: .start + .seconds(2))
        let notice = try #require(await store.leaseNotices(for: "backend", lease).first?.notice)
        #expect(
            try await store.endNoticeAttempt(
                notice.id, for: "backend", owner: lease.owner, .parked(failure: "status_404")))
        let parked = try await store.parkedNotices(limit: 10)
        #expect(parked.map(\.notice) == [notice] && parked.map(\.failure) == ["status_404"])
        #expect(parked.map(\.state) == [.parked] && parked.map(\.hook) == ["backend"])
        #expect(
            try await store.takeNotices(for: "backend", at: .start + .days(1)).map(\.kind) == [.accountDeleted])

        #expect(try await store.retryParkedNotices(at: .start + .days(2), by: .operator) == 1)
        let told = try await store.auditEntries(of: nil, before: nil, limit: 9)
        #expect(told.count { $0.event == .outboxRetried && $0.actor == .operator } == 1)
        #expect(try await store.parkedNotices(limit: 10).isEmpty)
        let retried = try await store.leaseNotices(for: "backend", .sample(at: .start + .days(2)))
        #expect(retried.map(\.notice) == [notice] && retried.map(\.waitingSince) == [.start + .days(2)])
    }

    @Test("An operator lets all parked notices be tried again, however many there are", arguments: [1, 2, 3, 4, 500])
    func retriedInPages(limit: Int) async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend", "mail"], at: .start)
        for number in 0..<2 { _ = try await store.signIn(.sample(.sample(Subject("person.\(number)")))) }
        for hook in ["backend", "mail"] {
            let lease = QueueLease.sample(at: .start + .seconds(1))
            for notice in try await store.leaseNotices(for: hook, lease) {
                _ = try await store.endNoticeAttempt(
                    notice.notice.id, for: hook, owner: lease.owner, .parked(failure: "status_404"))
            }
        }
        #expect(try await store.parkedNotices(limit: 10).count == 4)
        #expect(try await store.retryParkedNotices(at: .start + .days(1), by: .operator, limit: limit) == 4)
        #expect(try await store.parkedNotices(limit: 10).isEmpty)
        let told = try await store.auditEntries(of: nil, before: nil, limit: 20)
        // One entry for a notice, whatever hooks hear of it.
        #expect(told.count { $0.event == .outboxRetried } == 2)
    }

    @Test("A notice that comes while an earlier one of its account is put off waits for it, and no longer")
    func putOff() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend"], at: .start)
        let session = try await store.signIn(.sample()).session
        let first = QueueLease.sample(at: .start + .seconds(1))
        let created = try #require(await store.leaseNotices(for: "backend", first).first?.notice.id)
        for (index, change) in [AppleNotification.Change.emailForwarding(false), .emailForwarding(true)].enumerated() {
            let moment = Timestamp.start + .minutes(Int64(index) + 1)
            _ = try await store.applyNotification(.sample(change, happenedAt: moment, receivedAt: moment))
        }
        let again = NoticeOutcome.again(at: .start + .hours(1), failure: "status_500")
        #expect(try await store.endNoticeAttempt(created, for: "backend", owner: first.owner, again))
        _ = try await store.deleteAccount(.sample(in: session.id, at: .start + .minutes(5)))
        #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .minutes(59))).isEmpty)
        let told = try await store.takeNotices(for: "backend", at: .start + .hours(1))
        #expect(
            told.map(\.kind) == [.accountCreated, .emailForwardingChanged, .emailForwardingChanged, .accountDeleted])
    }

    @Test("If several servers look at once, one takes each notice")
    func serversAtOnce() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend"], at: .start)
        for number in 0..<30 { _ = try await store.signIn(.sample(.sample(Subject("person.\(number)")))) }
        let takings = try await atOnce(10) { _ in
            try await store.leaseNotices(for: "backend", .sample(at: .start + .seconds(1), limit: 5))
        }
        let ids = takings.flatMap { $0 }.map(\.notice.id)
        #expect(Set(ids).count == ids.count)
        let rest = try await store.leaseNotices(for: "backend", .sample(at: .start + .seconds(1)))
        #expect(ids.count + rest.count == 30)
    }

    @Test("A hook that no server has had for a month is removed with its waiting notices")
    func forgotten() async throws {
        let store = try await Engine.current.store()
        try await store.noteHooks(["backend", "mail"], at: .start)
        _ = try await store.signIn(.sample())
        try await store.noteHooks(["mail"], at: .start + .days(1))
        _ = try await store.sweep(at: .start + .days(30) - .seconds(1), sessionsBefore: .start, limit: 100)
        #expect(try await store.leaseNotices(for: "backend", .sample()).count == 1)
        _ = try await store.sweep(at: .start + .days(30), sessionsBefore: .start, limit: 100)
        #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .days(31))).isEmpty)
        #expect(try await store.leaseNotices(for: "mail", .sample(at: .start + .days(31))).count == 1)
        _ = try await store.signIn(.sample(at: .start + .days(31), .sample("someone.else")))
        #expect(try await store.leaseNotices(for: "backend", .sample(at: .start + .days(32))).isEmpty)
    }
}

extension AccountTransactions {
    /// Takes all notices that are due for a hook, in order.
    fileprivate func takeNotices(for hook: String, at moment: Timestamp) async throws -> [AccountNotice] {
        var taken: [AccountNotice] = []
        while true {
            let lease = QueueLease.sample(at: moment)
            let notices = try await leaseNotices(for: hook, lease).map(\.notice)
            guard !notices.isEmpty else { return taken }
            for notice in notices {
                #expect(try await endNoticeAttempt(notice.id, for: hook, owner: lease.owner, .taken))
            }
            taken += notices
        }
    }
}
