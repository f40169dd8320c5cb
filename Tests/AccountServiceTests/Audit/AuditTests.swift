import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("The audit", .eachDatabase)
struct AuditTests {
    @Test("The audit records a sign-in with its session and its caller")
    func signIn() async throws {
        let store = try await Engine.current.store()
        var record = SignInRecord.sample()
        record.caller = .sample
        let outcome = try await store.signIn(record)
        let entries = try await store.auditEntries(of: outcome.account.id, before: nil, limit: 10)
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(entry.event == .signedIn && entry.at == record.at && entry.detail == "new_account")
        #expect(entry.actor == .account(through: outcome.session.id, from: .sample))
        #expect(entry.account == outcome.account.id && entry.subject == outcome.session.id.rawValue)
    }

    @Test("A refused sign-in isn't recorded in the audit")
    func refusedSignIn() async throws {
        let store = try await Engine.current.store()
        let used = UsedCredential.sample()
        _ = try await store.signIn(.sample(used: [used]))
        await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(used: [used])) }
        #expect(try await store.auditEntries(of: nil, before: nil, limit: 10).count == 1)
    }

    @Test("The audit records the end of a session once, with its reason and its actor")
    func sessionEnd() async throws {
        let store = try await Engine.current.store()
        let session = try await store.signIn(.sample()).session
        let actor = AuditActor.account(through: session.id, from: .sample)
        let ending = SessionEnding(at: .start + .hours(1), reason: .signedOut, by: actor)
        _ = try await atOnce(10) { _ in try await store.endSession(session.id, ending) }
        let entries = try await store.auditEntries(of: session.accountID, before: nil, limit: 10)
        #expect(entries.map(\.event) == [.sessionEnded, .signedIn])
        let end = try #require(entries.first)
        #expect(end.actor == actor && end.subject == session.id.rawValue && end.detail == "signed_out")
    }

    @Test("A sign-in that replaces a browser's sessions records the end of each")
    func replacedSessions() async throws {
        let store = try await Engine.current.store()
        let browser = TokenHash.sample()
        var first = SignInRecord.NewSession.sample(.browser)
        first.browserHash = browser
        let former = try await store.signIn(.sample(session: .sample(.browser))).session
        let tab = try await store.signIn(.sample(session: first)).session
        var second = SignInRecord.NewSession.sample(.browser)
        second.browserHash = browser
        let record = SignInRecord.sample(at: .start + .hours(1), session: second, formerSession: former.id)
        let new = try await store.signIn(record).session
        let entries = try await store.auditEntries(of: new.accountID, before: nil, limit: 10)
        let ended = entries.filter { $0.event == .sessionEnded }
        #expect(Set(ended.map(\.subject)) == [former.id.rawValue, tab.id.rawValue])
        #expect(ended.allSatisfy { $0.detail == "replaced" && $0.actor.session == new.id })
    }

    @Test("If another person's sign-in ends a browser session, the entry doesn't show that person's address and device")
    func otherPersonsBrowser() async throws {
        let store = try await Engine.current.store()
        let (former, tab) = try await twoOfOneBrowser(store)
        let entries = try await store.auditEntries(of: former.accountID, before: nil, limit: 10)
        let ended = entries.filter { $0.event == .sessionEnded }
        #expect(Set(ended.map(\.subject)) == [former.id.rawValue, tab.id.rawValue])
        #expect(ended.allSatisfy { $0.detail == "replaced" && $0.actor == .service() })
    }

    @Test("After a deletion no entry shows the person's address and device, not even an entry of another account")
    func deletedPersonsOrigin() async throws {
        let store = try await Engine.current.store()
        for isOperator in [true, false] {
            _ = try await twoOfOneBrowser(store)
            var record = SignInRecord.sample(.sample("purged"))
            record.caller = .other
            let outcome = try await store.signIn(record)
            #expect(try await callers(store).contains(.other))
            if isOperator {
                _ = try await store.purgeAccount(.sample(of: outcome.account.id))
            } else {
                var deletion = DeletionRecord.sample(in: outcome.session.id)
                deletion.caller = .other
                _ = try await store.deleteAccount(deletion)
            }
            #expect(try await !callers(store).contains(.other))
            #expect(try await callers(store).contains(.sample))
        }
    }

    @Test("The audit is read newest first, in pages, for one account or for all")
    func newestFirst() async throws {
        let store = try await Engine.current.store()
        var opened: [SessionID] = []
        for index in 0..<5 {
            let record = SignInRecord.sample(
                at: .start + .seconds(Int64(index)), .sample(index == 2 ? "another" : "001999.person"))
            opened.append(try await store.signIn(record).session.id)
        }
        func subjects(of account: AccountID? = nil, before: AuditID? = nil, limit: Int = 2) async throws -> (
            [String?], AuditID?
        ) {
            let entries = try await store.auditEntries(of: account, before: before, limit: limit)
            return (entries.map(\.subject), entries.last?.id)
        }
        let (newest, last) = try await subjects()
        #expect(newest == [opened[4].rawValue, opened[3].rawValue])
        #expect(try await subjects(before: last).0 == [opened[2].rawValue, opened[1].rawValue])
        let account = try #require(await store.session(opened[0])?.account.id)
        #expect(
            try await subjects(of: account, before: last, limit: 9).0 == [opened[1].rawValue, opened[0].rawValue])
        #expect(try await subjects(limit: 0).0.isEmpty)
    }

    @Test("A sweep removes the audit entries from before a given time, oldest first, and no others")
    func sweep() async throws {
        let store = try await Engine.current.store()
        for index in 0..<5 {
            _ = try await store.signIn(.sample(at: .start + .days(Int64(index))))
        }
        #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 2)
        #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 1)
        #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 0)
        let left = try await store.auditEntries(of: nil, before: nil, limit: 10)
        #expect(left.map(\.at) == [4, 3].map { Timestamp.start + .days($0) })
    }
}

/// Signs a person in twice in one browser, then another person there, from another address.
/// - Returns: the first person's sessions, which the second sign-in has ended.
private func twoOfOneBrowser(_ store: AccountTransactions) async throws -> (former: Session, tab: Session) {
    let browser = TokenHash.sample()
    func signIn(_ person: SignInRecord.Person, _ caller: Caller, former: SessionID? = nil) async throws -> Session {
        var session = SignInRecord.NewSession.sample(.browser)
        session.browserHash = browser
        var record = SignInRecord.sample(person, session: session, formerSession: former)
        record.caller = caller
        return try await store.signIn(record).session
    }
    var record = SignInRecord.sample(session: .sample(.browser))
    record.caller = .sample
    let former = try await store.signIn(record).session
    let tab = try await signIn(.sample(), .sample)
    _ = try await signIn(.sample("purged"), .other, former: former.id)
    return (former, tab)
}

private func callers(_ store: AccountTransactions) async throws -> Set<Caller> {
    Set(try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.actor.caller))
}

extension Caller {
    fileprivate static let other = Caller(address: "192.0.2.7", device: DeviceName(cleaning: "Another's browser"))
    fileprivate static let sample = Caller(address: "2001:db8::7", device: DeviceName(cleaning: "Zoë's iPad"))
}
