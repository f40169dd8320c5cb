import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let export: [Self] = [
        Self("An export holds all of one account, and nothing of another") { store async throws in
            let token = AppleToken.sample("com.example.juice")
            let opened = SignInRecord.sample(name: try .sample(), appleToken: token)
            let outcome = try await store.signIn(opened)
            let second = try await store.signIn(
                .sample(at: .start + .hours(1), session: .sample(.browser, at: .start + .hours(1))))
            _ = try await store.endSession(opened.session.id, .sample(at: .start + .hours(2), .signedOut))
            try await store.keepName(.sample())
            let person = OutboxEntry.personHash(team: "TEAM000001", subject: "001999.person")
            let entry = OutboxEntry.sample(kind: .code, personHash: person)
            try await store.insertIntoOutbox(entry)
            _ = try await store.signIn(.sample(.sample("someone.else"), appleToken: .sample("com.example.juice")))
            try await store.keepName(.sample("Else", subject: "someone.else"))

            let export = try #require(try await store.exportAccount(outcome.account.id))
            #expect(export.id == outcome.account.id && export.createdAt == .start)
            #expect(export.name == (try .sample()))
            #expect(export.identities.map(\.identity.subject) == ["001999.person"])
            #expect(export.identities.first?.appleTokens == [token])
            #expect(export.sessions.map(\.session.id) == [second.session.id, opened.session.id])
            #expect(export.sessions.first?.session == second.session)
            #expect(export.sessions.map(\.ended?.reason) == [nil, .signedOut])
            #expect(export.keptNames == [.sample()])
            #expect(export.outbox == [entry])
        },
        Self("An export has the account's events and Apple's words, newest first, early ones too, and device names") {
            store async throws in
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
            #expect(export.notifications.map(\.happenedAt) == [.start + .hours(1), .start - .hours(1)])
            #expect(export.notifications.map(\.outcome) == [.applied, .unknownSubject])
            #expect(export.cut.isEmpty)
        },
        Self("There is no export of an account that is not there") { store async throws in
            #expect(try await store.exportAccount(.sample()) == nil)
        },
    ]
}
