import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let audit: [Self] = [
        Self("A sign-in is in the audit, with its session and from where it came") { store async throws in
            var record = SignInRecord.sample()
            record.caller = .sample
            let outcome = try await store.signIn(record)
            let entries = try await store.auditEntries(of: outcome.account.id, before: nil, limit: 10)
            let entry = try #require(entries.first)
            #expect(entries.count == 1)
            #expect(entry.event == .signedIn && entry.at == record.at && entry.detail == "new_account")
            #expect(entry.actor == .account(through: outcome.session.id, from: .sample))
            #expect(entry.account == outcome.account.id && entry.subject == outcome.session.id.rawValue)
        },
        Self("A sign-in that is refused leaves nothing in the audit") { store async throws in
            let spent = Spent.sample()
            _ = try await store.signIn(.sample(spent: [spent]))
            await expectError(.alreadyUsed) { _ = try await store.signIn(.sample(spent: [spent])) }
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 10).count == 1)
        },
        Self("The end of a session is in the audit once, with its reason and who ended it") { store async throws in
            let session = try await store.signIn(.sample()).session
            let actor = AuditActor.account(through: session.id, from: .sample)
            let ending = SessionEnding(at: .start + .hours(1), reason: .signedOut, by: actor)
            _ = try await atOnce(10) { _ in try await store.endSession(session.id, ending) }
            let entries = try await store.auditEntries(of: session.accountID, before: nil, limit: 10)
            #expect(entries.map(\.event) == [.sessionEnded, .signedIn])
            let end = try #require(entries.first)
            #expect(end.actor == actor && end.subject == session.id.rawValue && end.detail == "signed_out")
        },
        Self("A sign-in that replaces a browser's sessions tells of each") { store async throws in
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
        },
        Self("The audit is read newest first, in pages, of one account or of all") { store async throws in
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
        },
        Self("A sweep takes the oldest entries of the audit from before a moment, and no others") {
            store async throws in
            for index in 0..<5 {
                _ = try await store.signIn(.sample(at: .start + .days(Int64(index))))
            }
            #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 2)
            #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 1)
            #expect(try await store.sweepAudit(before: .start + .days(3), limit: 2) == 0)
            let left = try await store.auditEntries(of: nil, before: nil, limit: 10)
            #expect(left.map(\.at) == [.start + .days(4), .start + .days(3)])
        },
    ]
}

extension Caller {
    fileprivate static let sample = Caller(address: "2001:db8::7", device: DeviceName(cleaning: "Zoë's iPad"))
}
