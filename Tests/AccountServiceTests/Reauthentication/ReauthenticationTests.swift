import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Reauthentications", .eachDatabase)
struct ReauthenticationTests {
    @Test("An identity is read back with Apple's latest facts")
    func identity() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        let identity = try #require(try await store.identities(of: outcome.account.id).first)
        #expect(identity.id == outcome.session.identityID && identity.accountID == outcome.account.id)
        #expect(identity.team == "TEAM000001" && identity.subject == "001999.person")
        #expect(identity.email == "johnny@example.com" && identity.emailVerified)
        #expect(identity.createdAt == .start && identity.lastSignInAt == .start)
        #expect(try await store.identities(of: .sample()).isEmpty)
    }

    @Test("A reauthentication makes an app's session fresh and changes nothing else")
    func app() async throws {
        let store = try await Engine.current.store()
        var opened = SignInRecord.sample()
        opened.session.hasNonceProof = false
        _ = try await store.signIn(opened)
        var expected = try #require(try await store.session(opened.session.id))
        let record = ReauthenticationRecord.sample(of: opened.session.id, at: .start + .hours(1))
        let renewed = try await store.reauthenticate(record)
        expected.session.authenticatedAt = record.at
        expected.session.hasNonceProof = true
        expected.account.appleAccess.lastAuthorizedAt = record.at
        #expect(renewed == expected.session)
        #expect(try await store.session(opened.session.id) == expected)
    }

    @Test("A browser gets a new session, and its old one ends")
    func browser() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(session: .sample(.browser))
        let account = try await store.signIn(opened).account
        var record = ReauthenticationRecord.sample(of: opened.session.id, at: .start + .hours(1))
        let successor = SignInRecord.NewSession.sample(.browser, at: record.at)
        record.successor = successor
        let session = try await store.reauthenticate(record)
        #expect(session.id == successor.id && session.accountID == account.id)
        #expect(session.authenticatedAt == record.at && session.expiresAt == successor.expiresAt)
        #expect(try await store.session(successor.id)?.session == session)
        let end = StoredSession.End(at: record.at, reason: .replaced)
        #expect(try await store.session(opened.session.id)?.ended == end)
    }

    @Test("The token of a new grant replaces the old one")
    func newToken() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        let identity = try await store.signIn(opened).session.identityID
        var record = ReauthenticationRecord.sample(of: opened.session.id)
        let token = AppleToken(id: .sample(), clientID: "com.example.juice", sealed: [4], obtainedAt: record.at)
        record.appleToken = token
        _ = try await store.reauthenticate(record)
        #expect(try await store.appleTokens(of: identity) == [token])
    }

    @Test("A reauthentication is an authorization: an earlier notification changes nothing")
    func countsAsAuthorization() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        let account = try await store.signIn(opened).account.id
        let record = ReauthenticationRecord.sample(of: opened.session.id, at: .start + .hours(2))
        _ = try await store.reauthenticate(record)
        let identity = try #require(try await store.identities(of: account).first)
        #expect(identity.access.lastAuthorizedAt == record.at && identity.lastSignInAt == record.at)
        let old = AppleNotification.sample(.consentRevoked, happenedAt: .start + .hours(1))
        #expect(try await store.applyNotification(old).outcome == .outdated)
        #expect(try await store.session(opened.session.id)?.ended == nil)
    }

    @Test("A notification after a reauthentication isn't taken for this service's own doing")
    func notOwnDoing() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
        _ = try await store.reauthenticate(.sample(of: opened.session.id, at: .start + .minutes(1)))
        let end = AppleNotification.sample(.consentRevoked, happenedAt: .start + .minutes(2))
        #expect(try await store.applyNotification(end).outcome == .applied)
        #expect(try await store.session(opened.session.id)?.ended?.reason == .appleConsentRevoked)
    }

    @Test("Another person's credential renews nothing and isn't used up")
    func otherPerson() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        _ = try await store.signIn(opened)
        let before = try await store.session(opened.session.id)
        for (team, subject) in [("TEAM000001", "001999.other"), ("TEAM000002", "001999.person")] {
            var record = ReauthenticationRecord.sample(of: opened.session.id, at: .start + .hours(1))
            (record.person.team, record.person.subject) = (TeamID(team), Subject(subject))
            await expectError(.credentialMismatch) { _ = try await store.reauthenticate(record) }
            #expect(try await store.firstUsed(among: record.used, at: record.at) == nil)
        }
        #expect(try await store.session(opened.session.id) == before)
    }

    @Test("An unknown, ended or expired session can't be renewed")
    func endedSession() async throws {
        let store = try await Engine.current.store()
        let ended = SignInRecord.sample()
        _ = try await store.signIn(ended)
        _ = try await store.endSession(ended.session.id, .sample(at: .start, .signedOut))
        let expired = SignInRecord.sample(session: .sample(expiresAt: .start + .hours(1)))
        _ = try await store.signIn(expired)
        for id in [ended.session.id, expired.session.id, .sample()] {
            let record = ReauthenticationRecord.sample(of: id, at: .start + .hours(1))
            await expectError(.sessionEnded) { _ = try await store.reauthenticate(record) }
        }
    }

    @Test("If fifty requests present one credential, one renews the session")
    func fiftyAtOnce() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        _ = try await store.signIn(opened)
        let record = ReauthenticationRecord.sample(of: opened.session.id)
        let renewed = try await atOnce(50) { _ in
            do {
                _ = try await store.reauthenticate(record)
                return true
            } catch let error as AccountError where error.code == .alreadyUsed { return false }
        }
        #expect(renewed.count { $0 } == 1)
    }
}
