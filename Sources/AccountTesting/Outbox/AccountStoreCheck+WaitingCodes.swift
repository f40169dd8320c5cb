import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let waitingCodes: [Self] = [
        Self("An account tells whether a token of Apple's is held, or a code waits for one") { store async throws in
            let bare = try await store.signIn(.sample())
            #expect(bare.account.appleToken == .none)
            #expect(try await store.session(bare.session.id)?.account == bare.account)

            var record = SignInRecord.sample()
            let code = OutboxEntry.sample(kind: .code, identity: nil)
            record.waitingCode = code
            let waiting = try await store.signIn(record)
            #expect(waiting.account.appleToken == .waiting)
            #expect(try await store.session(bare.session.id)?.account == waiting.account)
            #expect(try await store.outboxEntry(code.id)?.identityID == waiting.session.identityID)

            let lease = OutboxLease.sample()
            _ = try await store.leaseOutbox(lease)
            let token = AppleToken.sample("com.example.juice")
            _ = try await store.settleOutbox(code.id, owner: lease.owner, .redeemed(token), at: .start)
            #expect(try await store.session(bare.session.id)?.account.appleToken == .held)
            let later = try await store.signIn(.sample())
            #expect(later.account.appleToken == .held)
            #expect(try await store.session(later.session.id)?.account == later.account)
        },
        Self("A code that came to nothing leaves an account without a token") { store async throws in
            var record = SignInRecord.sample()
            let code = OutboxEntry.sample(kind: .code, identity: nil)
            record.waitingCode = code
            _ = try await store.signIn(record)
            let lease = OutboxLease.sample()
            _ = try await store.leaseOutbox(lease)
            _ = try await store.settleOutbox(
                code.id, owner: lease.owner, .expired(failure: "too_old"), at: .start)
            let found = try #require(try await store.session(record.session.id))
            #expect(found.account.appleToken == .none && found.ended == nil)
        },
        Self("The code of a reauthentication waits for the same identity") { store async throws in
            let opened = SignInRecord.sample()
            let identity = try await store.signIn(opened).session.identityID
            var record = Reauthentication.sample(of: opened.session.id)
            let code = OutboxEntry.sample(kind: .code, identity: nil)
            record.waitingCode = code
            _ = try await store.reauthenticate(record)
            #expect(try await store.outboxEntry(code.id)?.identityID == identity)
        },
    ]
}
