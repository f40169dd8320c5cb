import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let news: [Self] = [
        Self("A session that asks for what is to come gets a revision, and from there what comes") {
            store async throws in
            let outcome = try await store.signIn(.sample())
            var news = try await store.accountNews(of: outcome.session, after: nil, at: .start, limit: 10)
            #expect(news.events.isEmpty && !news.isOver)
            let later = try await store.signIn(.sample(at: .start + .hours(1)))
            news = try await store.accountNews(of: outcome.session, after: news.revision, at: .start, limit: 10)
            #expect(news.events.map(\.about) == [later.session.id.rawValue] && !news.isOver)
            let last = try #require(news.events.last)
            news = try await store.accountNews(of: outcome.session, after: last.revision, at: .start, limit: 10)
            #expect(news.events.isEmpty)
        },
        Self("A session that has ended gets what happened before its end, its end included, and no more") {
            store async throws in
            let outcome = try await store.signIn(.sample())
            #expect(
                try await store.endSession(outcome.session.id, .sample(at: .start + .hours(1), .signedOut)))
            _ = try await store.signIn(.sample(at: .start + .hours(2)))
            let news = try await store.accountNews(of: outcome.session, after: 0, at: .start, limit: 10)
            #expect(news.events.map(\.kind) == [.signedIn, .sessionEnded])
            #expect(news.isOver)
        },
        Self("A session that has expired, or is gone, is over") { store async throws in
            let outcome = try await store.signIn(.sample(session: .sample(expiresAt: .start + .days(1))))
            let at = Timestamp.start + .days(1)
            #expect(
                try await !store.accountNews(of: outcome.session, after: 0, at: at - .seconds(1), limit: 9).isOver)
            #expect(try await store.accountNews(of: outcome.session, after: 0, at: at, limit: 9).isOver)
            try await store.walk(through: .sessions, endedBy: at)
            #expect(try await store.session(outcome.session.id) == nil)
            #expect(try await store.accountNews(of: outcome.session, after: 0, at: .start, limit: 9).isOver)
        },
        Self("An identity stands as Apple's last word has it, and is found in its own account alone") {
            store async throws in
            let mine = try await store.signIn(.sample())
            let theirs = try await store.signIn(.sample(.sample("someone.else")))
            func standing(_ subject: Subject) async throws -> AppleStanding? {
                try await store.appleStanding(of: mine.account.id, subject: subject)
            }
            let identity = mine.session.identityID
            let granted = AppleStanding(identity: identity, accessEnded: false, isRemoved: false)
            #expect(try await standing("001999.person") == granted)
            #expect(try await store.appleStanding(of: mine.account.id, identity: identity) == granted)
            #expect(try await standing("someone.else") == nil)
            #expect(
                try await store.appleStanding(of: mine.account.id, identity: theirs.session.identityID) == nil)

            _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
            let ended = AppleStanding(identity: identity, accessEnded: true, isRemoved: false)
            #expect(try await standing("001999.person") == ended)
            _ = try await store.applyNotification(.sample(.accountDeleted, happenedAt: .start + .hours(2)))
            let removed = AppleStanding(identity: identity, accessEnded: true, isRemoved: true)
            #expect(try await store.appleStanding(of: mine.account.id, identity: identity) == removed)
            #expect(try await standing("001999.person") == nil)
        },
    ]
}
