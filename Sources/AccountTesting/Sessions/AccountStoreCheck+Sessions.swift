import AccountService
import Testing

extension AccountStoreCheck {
    static let sessions: [Self] = [
        Self("An unknown session is none") { store async throws in
            #expect(try await store.session(.sample()) == nil)
            #expect(try await store.endSession(.sample(), .sample(at: .start, .signedOut)) == false)
            try await store.touchSession(.sample(), usedAt: .start, expiresAt: .start + .days(1))
        },
        Self("Expired and ended sessions are still found, with their account") { store async throws in
            let record = SignInRecord.sample(session: .sample(.browser, expiresAt: .start - .days(1)))
            let outcome = try await store.signIn(record)
            #expect(try await store.session(record.session.id)?.session == outcome.session)
            #expect(try await store.endSession(record.session.id, .sample(at: .start, .signedOut)))
            #expect(try await store.session(record.session.id)?.account == outcome.account)
        },
        Self("A session ends once, and its first end stays") { store async throws in
            let id = try await store.signIn(.sample()).session.id
            #expect(try await store.endSession(id, .sample(at: .start, .refreshTokenReused)))
            #expect(try await store.endSession(id, .sample(at: .start + .days(1), .signedOut)) == false)
            let ended = try await store.session(id)?.ended
            #expect(ended == StoredSession.End(at: .start, reason: .refreshTokenReused))
        },
        Self("Of fifty who end a session, one ended it") { store async throws in
            let id = try await store.signIn(.sample()).session.id
            let ended = try await atOnce(50) { _ in try await store.endSession(id, .sample(at: .start, .signedOut)) }
            #expect(ended.count { $0 } == 1)
        },
        Self("A use moves a live session's expiry, and an earlier one noted later does not move it back") {
            store async throws in
            let id = try await store.signIn(.sample()).session.id
            let (used, expires) = (Timestamp.start + .hours(2), Timestamp.start + .days(40))
            try await store.touchSession(id, usedAt: used, expiresAt: expires)
            var stored = try #require(await store.session(id))
            #expect(stored.session.lastUsedAt == used && stored.session.expiresAt == expires)
            try await store.touchSession(id, usedAt: used - .hours(1), expiresAt: expires - .hours(1))
            #expect(try await store.session(id) == stored)
            try await store.touchSession(id, usedAt: used + .hours(1), expiresAt: used + .hours(2))
            stored.session.lastUsedAt = used + .hours(1)
            stored.session.expiresAt = used + .hours(2)
            #expect(try await store.session(id) == stored)
        },
        Self("A use does not revive a session that has ended or expired") { store async throws in
            let ended = try await store.signIn(.sample()).session.id
            #expect(try await store.endSession(ended, .sample(at: .start, .signedOut)))
            let expired = try await store.signIn(.sample(session: .sample(expiresAt: .start + .days(1)))).session.id
            for id in [ended, expired] {
                let before = try await store.session(id)
                try await store.touchSession(id, usedAt: .start + .days(1), expiresAt: .start + .days(60))
                #expect(try await store.session(id) == before)
            }
        },
    ]
}
