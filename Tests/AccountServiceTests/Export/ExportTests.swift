import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Exports", .eachDatabase)
struct ExportTests {
    @Test("An export holds all data of one account and nothing of another")
    func oneAccount() async throws {
        let store = try await Engine.current.store()
        let token = AppleToken.sample("com.example.juice")
        let opened = SignInRecord.sample(name: try .sample(), appleToken: token)
        let outcome = try await store.signIn(opened)
        let second = try await store.signIn(
            .sample(at: .start + .hours(1), session: .sample(.browser, at: .start + .hours(1))))
        _ = try await store.endSession(opened.session.id, .sample(at: .start + .hours(2), .signedOut))
        try await store.keepPendingProfile(.sample())
        let person = TokenHash.person(team: "TEAM000001", subject: "001999.person")
        let entry = OutboxEntry.sample(kind: .code, personHash: person)
        try await store.insertIntoOutbox(entry)
        _ = try await store.signIn(.sample(.sample("someone.else"), appleToken: .sample("com.example.juice")))
        try await store.keepPendingProfile(.sample("Else", subject: "someone.else"))

        let export = try #require(try await store.exportAccount(outcome.account.id))
        #expect(export.id == outcome.account.id && export.createdAt == .start)
        #expect(export.name == (try .sample()))
        #expect(export.identities.map(\.identity.subject) == ["001999.person"])
        #expect(export.identities.first?.appleTokens == [token])
        #expect(export.sessions.map(\.session.id) == [second.session.id, opened.session.id])
        #expect(export.sessions.first?.session == second.session)
        #expect(export.sessions.map(\.ended?.reason) == [nil, .signedOut])
        #expect(export.pendingProfiles == [.sample()])
        #expect(export.outbox == [entry])
    }

    @Test("An export has the account's events, Apple's notifications and device names, newest first, early ones too")
    func eventsAndNotifications() async throws {
        let store = try await Engine.current.store()
        _ = try await store.applyNotification(.sample(.emailForwarding(false), happenedAt: .start - .hours(1)))
        var session = SignInRecord.NewSession.sample()
        session.deviceName = DeviceName(cleaning: "Zoë's iPad")
        let account = try await store.signIn(.sample(session: session)).account.id
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
        _ = try await store.signIn(.sample(.sample("someone.else")))
        _ = try await store.applyNotification(
            .sample(.consentRevoked, "someone.else", happenedAt: .start + .hours(1)))
        let export = try #require(try await store.exportAccount(account))
        #expect(export.sessions.map(\.session.deviceName?.rawValue) == ["Zoë's iPad"])
        #expect(export.events.map(\.kind) == [.appleAccessEnded, .signedIn])
        #expect(export.notifications.map(\.happenedAt) == [1, -1].map { Timestamp.start + .hours($0) })
        #expect(export.notifications.map(\.outcome) == [.applied, .unknownSubject])
        #expect(export.cut.isEmpty)
    }

    @Test("An unknown account has no export")
    func unknownAccount() async throws {
        let store = try await Engine.current.store()
        #expect(try await store.exportAccount(.sample()) == nil)
    }
}
