import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A session whose account was merged", .eachEngine)
struct MergedSessionTests {
    @Test("gets the remaining account's id for 30 days, and is then removed")
    func former() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let former = try await system.session(of: apple)
        let session = try await system.makeAccount()
        try await system.merge(into: session)
        for attempt in 1...2 {
            let byAccess = await expectError(.accountMerged) { _ = try await system.session(of: apple) }
            #expect(byAccess?.mergedInto == session.account.id, "\(attempt)")
            let byRefresh = await expectError(.accountMerged) {
                _ = try await system.domain.sessions.refresh(apple.tokens.refreshToken)
            }
            #expect(byRefresh?.mergedInto == session.account.id, "\(attempt)")
            // The two calls that allow sessions which Apple ended take both tokens.
            for token in [apple.tokens.accessToken, apple.tokens.refreshToken] {
                let asked = await expectError(.accountMerged) {
                    _ = try await system.domain.sessions.authenticateAllowingEndedSession(token)
                }
                #expect(asked?.mergedInto == session.account.id, "\(attempt)")
            }
        }
        system.clock.advance(by: .days(29))
        await system.domain.sweeper.sweep()
        let late = await expectError(.accountMerged) {
            _ = try await system.domain.sessions.refresh(apple.tokens.refreshToken)
        }
        #expect(late?.mergedInto == session.account.id)
        #expect(try await system.end(of: former) == .merged)
        system.clock.advance(by: .days(1))
        await expectError(.refreshTokenInvalid) {
            _ = try await system.domain.sessions.refresh(apple.tokens.refreshToken)
        }
        system.clock.advance(by: .days(1))
        await system.domain.sweeper.sweep()
        #expect(try await system.store.session(former.session.id) == nil)
        await expectError(.refreshTokenInvalid) {
            _ = try await system.domain.sessions.refresh(apple.tokens.refreshToken)
        }
        #expect(try await system.store.accountMerged(from: apple.account.id)?.into == session.account.id)
    }

    @Test("that had ended before gets nothing, and neither do other people")
    func strangers() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let signedOut = try await system.signInWithApple()
        try await system.domain.sessions.end(try await system.session(of: signedOut).session.id, from: .unknown)
        let session = try await system.makeAccount()
        try await system.merge(into: session)
        let ended = await expectError(.refreshTokenInvalid) {
            _ = try await system.domain.sessions.refresh(signedOut.tokens.refreshToken)
        }
        #expect(ended?.mergedInto == nil)
        // The session of one token, with the secret of another.
        let (merged, stranger) = (
            apple.tokens.refreshToken, try await system.signInWithApple("zoe").tokens.refreshToken
        )
        let half = merged.count / 2
        let forged = await expectError(.refreshTokenInvalid) {
            _ = try await system.domain.sessions.refresh(String(merged.prefix(half) + stranger.dropFirst(half)))
        }
        #expect(forged?.mergedInto == nil)
        #expect(try await system.domain.sessions.refresh(stranger).refreshToken != stranger)
    }

    @Test("is found by a refresh token of the older form, the last one or the one before whose answer was lost")
    func formerTokens() async throws {
        let system = try await PasswordSystem()
        let from = try await system.session(of: system.signInWithApple())
        let randomness = system.clock.appleIDEnvironment
        let token = SessionSecret(session: from.session.id, secret: randomness.randomBytes(32))
        let (id, hash) = (from.session.id, token.hash)
        _ = try await system.store.write { connection in
            try connection.execute(
                "UPDATE sessions SET secret_hash = ?2, has_signed_token = NULL WHERE id = ?1", [.id(id), .hash(hash)])
        }
        let session = try await system.makeAccount()
        let next = try await system.domain.sessions.refresh(token.text).refreshToken
        try await system.merge(into: session)
        for text in [token.text, next] {
            let error = await expectError(.accountMerged) { _ = try await system.domain.sessions.refresh(text) }
            #expect(error?.mergedInto == session.account.id)
        }
        let guess = SessionSecret(session: id, secret: randomness.randomBytes(32)).text
        let refused = await expectError(.refreshTokenInvalid) { _ = try await system.domain.sessions.refresh(guess) }
        #expect(refused?.mergedInto == nil)
        await expectError(.tokenInvalid) {
            _ = try await system.domain.sessions.authenticateAllowingEndedSession(guess)
        }
    }

    @Test("gets the merge even if an event at Apple had ended it before, and reads no events of the other account")
    func endedByApple() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let former = try await system.session(of: apple)
        let identity = try #require(try await system.store.identities(of: former.account.id).first)
        system.clock.advance(by: .seconds(5))
        _ = try await system.store.applyNotification(
            .sample(.consentRevoked, identity.subject, team: identity.team, happenedAt: system.now))
        let session = try await system.makeAccount()
        try await system.merge(into: session)
        let error = await expectError(.accountMerged) {
            _ = try await system.domain.sessions.authenticateAllowingEndedSession(apple.tokens.accessToken)
        }
        #expect(error?.mergedInto == session.account.id)
    }

    @Test("gets the merge as the last event of its own account, if somebody follows the events then")
    func followed() async throws {
        let system = try await PasswordSystem()
        let former = try await system.session(of: system.signInWithApple())
        _ = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let before = try await system.store.accountNews(of: former.session, after: nil, at: system.now, limit: 100)
        #expect(!before.isOver)
        try await system.merge(into: session)
        let news = try await system.store.accountNews(
            of: former.session, after: before.revision, at: system.now, limit: 100)
        // The last event tells of the end of both sessions.
        #expect(news.isOver && news.events.last?.kind == .accountMerged)
        #expect(news.events.last?.about == session.account.id.rawValue && news.events.last?.reason == "into")
        #expect(!news.events.map(\.kind).contains(.sessionEnded))
        let told = try await system.store.accountNews(of: session.session, after: 0, at: system.now, limit: 100)
        #expect(!told.isOver && told.events.last?.kind == .accountMerged && told.events.last?.reason == "from")
    }
}
