import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Accounts", .eachDatabase)
struct AccountDirectoryTests {
    @Test("Accounts are read oldest first, in pages, with their identities")
    func pages() async throws {
        let store = try await Engine.current.store()
        var ids: [AccountID] = []
        for index in 0..<3 {
            let record = SignInRecord.sample(
                at: .start + .seconds(Int64(index)), .sample(Subject("person.\(index)")), name: try .sample())
            ids.append(try await store.signIn(record).account.id)
        }
        _ = try await store.signIn(.sample(at: .start + .hours(1), .sample("person.1")))
        #expect(try await store.accountCount() == 3)
        let first = try await store.accounts(after: nil, limit: 2)
        #expect(first.map(\.id) == [ids[0], ids[1]])
        #expect(first.map { $0.identities.map(\.subject.rawValue) } == [["person.0"], ["person.1"]])
        let second = try #require(first.last)
        #expect(second.name == (try .sample()) && second.disabledAt == nil)
        let identity = try #require(second.identities.first)
        #expect(identity.provider == "apple" && identity.team == "TEAM000001")
        #expect(identity.email == "johnny@example.com" && identity.emailVerified && !identity.isPrivateEmail)
        #expect(identity.appleToken == .none && identity.access.ended == nil)
        #expect(identity.access.lastAuthorizedAt == .start + .hours(1))
        #expect(identity.createdAt == .start + .seconds(1) && identity.lastSignInAt == .start + .hours(1))
        #expect(try await store.accounts(after: ids[1], limit: 9).map(\.id) == [ids[2]])
        #expect(try await store.account(ids[1]) == second)
        #expect(try await store.account(.sample()) == nil)
    }

    @Test("An account's record shows its state at Apple and whether a token is held")
    func appleFacts() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let account = try await store.signIn(record).account.id
        func identities() async throws -> [ListedAccount.Identity] {
            try await store.account(account)?.identities ?? []
        }
        #expect(try await identities().map(\.appleToken) == [.held])
        _ = try await store.applyNotification(.sample(.emailForwarding(false), happenedAt: .start + .hours(1)))
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(2)))
        let ended = try #require(await identities().first)
        #expect(ended.appleToken == .none && ended.access.forwardsEmail == false)
        #expect(
            ended.access.ended == AppleAccess.End(at: .start + .hours(2), reason: .appleConsentRevoked))
    }

    @Test("A search for a `sub` finds exact matches in every team")
    func bySubject() async throws {
        let store = try await Engine.current.store()
        let one = try await store.signIn(.sample(.sample("001.a"))).account.id
        let other = try await store.signIn(.sample(.sample("001.a", team: "TEAM000002"))).account.id
        _ = try await store.signIn(.sample(.sample("001.A")))
        #expect(try await Set(store.accounts(ofSubject: "001.a").map(\.id)) == [one, other])
        #expect(try await store.accounts(ofSubject: "001").isEmpty)
    }

    @Test("A search for an address finds exact matches in every team")
    func byAddress() async throws {
        let store = try await Engine.current.store()
        let one = try await store.signIn(.sample(.sample("001.a", email: "zoë@example.com"))).account.id
        let other = try await store.signIn(
            .sample(.sample("001.a", team: "TEAM000002", email: "zoë@example.com"))
        ).account.id
        _ = try await store.signIn(.sample(.sample("001.b", email: "Zoë@example.com")))
        _ = try await store.signIn(.sample(.sample("001.c", email: nil)))
        #expect(try await Set(store.accounts(ofEmail: "zoë@example.com").map(\.id)) == [one, other])
        let found = try await store.accounts(ofEmail: "Zoë@example.com").first
        #expect(found?.identities.map(\.email) == ["Zoë@example.com"])
        #expect(try await store.accounts(ofEmail: "zoë").isEmpty)
        #expect(try await store.accounts(ofEmail: "").isEmpty)
    }

    @Test("A disabled account refuses sign-ins, which write nothing, until it is enabled")
    func disabled() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample()).account.id
        #expect(try await store.disable(account, .disabled(at: .start + .days(1)), limit: 9) == 1)
        #expect(try await store.disable(account, .disabled(at: .start + .days(2)), limit: 9) == 0)
        #expect(try await store.account(account)?.disabledAt == .start + .days(1))
        let used = UsedCredential.sample()
        await expectError(.accountDisabled) { _ = try await store.signIn(.sample(used: [used])) }
        await expectError(.accountDisabled) {
            _ = try await store.signIn(.sample(used: [used], name: try .sample("New")))
        }
        #expect(try await store.firstUsed(among: [used], at: .start) == nil)
        _ = try await store.signIn(.sample(.sample("another")))
        #expect(try await store.enable(account, at: .start + .days(3), by: .operator))
        #expect(try await store.signIn(.sample(used: [used])).account.id == account)
        let told = try await store.auditEntries(of: account, before: nil, limit: 9)
        #expect(told.count { $0.event == .accountDisabled && $0.actor == .operator } == 1)
        #expect(told.count { $0.event == .accountEnabled } == 1)
        #expect(try await store.disable(.sample(), .disabled(at: .start), limit: 9) == nil)
        #expect(try await store.enable(.sample(), at: .start, by: .operator) == false)
    }

    @Test("All sessions of a disabled account are refused at once, and none comes back when it is enabled")
    func sessionsOfDisabled() async throws {
        let store = try await Engine.current.store()
        var opened: [SignInRecord.NewSession] = []
        for _ in 0..<3 {
            let session = SignInRecord.NewSession.sample()
            opened.append(session)
            _ = try await store.signIn(.sample(session: session))
        }
        let account = try #require(await store.session(opened[0].id)).account.id
        let at = Timestamp.start + .hours(1)
        #expect(try await store.disable(account, .disabled(at: at), limit: 1) == 1)
        let ended = StoredSession.End(at: at, reason: .accountDisabled)
        for session in opened {
            let stored = try #require(await store.session(session.id))
            #expect(stored.ended == ended)
            #expect(try await store.accountNews(of: stored.session, after: nil, at: at, limit: 9).isOver)
            let rotation = SessionRotationRecord(
                session: session.id, presented: session.secretHash, successor: .sample(), at: at,
                grace: .seconds(30), idleLimit: .days(30), absoluteLimit: .days(180))
            #expect(try await store.rotateSession(rotation) == .gone)
            await expectError(.sessionEnded) { _ = try await store.reauthenticate(.sample(of: session.id, at: at)) }
        }
        #expect(try await store.enable(account, at: at + .hours(1), by: .operator))
        for session in opened {
            #expect(try await store.session(session.id)?.ended?.reason == .accountDisabled)
        }
        let told = try await store.accountEvents(of: account, after: 0, limit: 20)
        #expect(told.count { $0.kind == .sessionEnded && $0.reason == "account_disabled" } == 3)
    }
}

extension SessionEnding {
    fileprivate static func disabled(at: Timestamp) -> Self {
        Self(at: at, reason: .accountDisabled, by: .operator)
    }
}
