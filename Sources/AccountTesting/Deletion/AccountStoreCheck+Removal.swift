import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let removal: [Self] = [
        Self("An operator's deletion is the person's own: what Apple must be told waits, and nothing else is left") {
            store async throws in
            let opened = SignInRecord.sample(name: try .sample(), appleToken: .sample("com.example.juice"))
            let outcome = try await store.signIn(opened)
            let other = try await store.signIn(.sample(.sample("someone.else")))
            let removal = AccountRemoval.sample(of: outcome.account.id)
            #expect(try await store.removeAccount(removal)?.count == 1)
            #expect(try await store.removeAccount(.sample(of: outcome.account.id)) == nil)
            #expect(try await store.removeAccount(.sample(of: .sample())) == nil)
            #expect(try await store.exportAccount(outcome.account.id) == nil)
            #expect(try await store.session(opened.session.id) == nil)
            #expect(try await store.session(other.session.id)?.ended == nil)
            #expect(try await store.deletion(removal.handleHash)?.state == .waiting)
            let entries = try await store.leaseOutbox(.sample())
            #expect(entries.map(\.deletionHash) == [removal.handleHash] && entries.map(\.kind) == [.revocation])
            let entry = try #require(
                await store.auditEntries(of: outcome.account.id, before: nil, limit: 10)
                    .first { $0.event == .accountDeleted })
            #expect(entry.actor.kind == .operator && entry.detail == "operator")
            let event = try #require(await store.accountEvents(of: outcome.account.id, after: 0, limit: 10).last)
            #expect(event.kind == .accountDeleted && event.reason == "operator")
            let again = try await store.signIn(.sample(at: .start + .hours(1)))
            #expect(again.isNewAccount && again.account.name == nil)
        },
        Self("Of deletions at once, the person's and the operator's, one deletes") { store async throws in
            let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
            let account = try await store.signIn(opened).account.id
            let deleted = try await atOnce(20) { index in
                if index.isMultiple(of: 2) { return try await store.removeAccount(.sample(of: account)) != nil }
                do {
                    _ = try await store.deleteAccount(.sample(in: opened.session.id))
                    return true
                } catch let error as AccountError where error.code == .sessionEnded {
                    return false
                }
            }
            #expect(deleted.count { $0 } == 1)
            #expect(try await store.leaseOutbox(.sample()).count == 1)
        },
        Self("An end of consent deletes the account only where the notification says so, and once") {
            store async throws in
            let moment = Timestamp.start + .hours(1)
            let (kept, gone) = try await (
                store.signIn(.sample(.sample("kept"))),
                store.signIn(.sample(.sample("gone"), appleToken: .sample("com.example.juice")))
            )
            _ = try await store.applyNotification(.sample(.consentRevoked, "kept", happenedAt: moment))
            #expect(try await store.account(kept.account.id) != nil)

            var order = AppleNotification.sample(.consentRevoked, "gone", happenedAt: moment)
            let handle = TokenHash.sample()
            order.deletion = handle
            let receipt = try await store.applyNotification(order)
            #expect(receipt == NotificationReceipt(outcome: .applied, account: gone.account.id, isRepeat: false))
            #expect(try await store.account(gone.account.id) == nil)
            // Apple has ended the authorization itself.
            #expect(try await store.leaseOutbox(.sample(at: moment)).isEmpty)
            #expect(try await store.deletion(handle)?.state == .done)
            // It names nobody any more.
            let all = try await store.appleNotifications(limit: 10)
            let told = try #require(all.first { $0.notification.id == order.id })
            #expect(told.outcome == .applied && told.account == nil && told.notification.subject != "gone")
            // A token from before the end makes no account anew.
            await expectError(.tokenTooOld) {
                _ = try await store.signIn(.sample(at: moment - .minutes(1), .sample("gone")))
            }
            let back = try await store.signIn(.sample(at: moment + .hours(1), .sample("gone")))
            #expect(back.isNewAccount)
            #expect(try await store.applyNotification(order).isRepeat)
            #expect(try await store.account(back.account.id) != nil)
        },
        Self("Other notifications delete nothing, whatever they carry") { store async throws in
            let account = try await store.signIn(.sample()).account.id
            for change in [AppleNotification.Change.emailForwarding(false), .accountDeleted, .other] {
                var order = AppleNotification.sample(change, happenedAt: .start + .hours(1))
                order.deletion = .sample()
                _ = try await store.applyNotification(order)
            }
            #expect(try await store.account(account) != nil)
        },
    ]
}

extension AccountRemoval {
    /// By an operator.
    static func sample(of account: AccountID) -> Self {
        Self(at: .start, account: account, handleHash: .sample(), by: .operator, reason: "operator")
    }
}
