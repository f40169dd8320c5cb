import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A merge of two accounts", .eachEngine)
struct MergeTests {
    @Test("Either way in opens the remaining account, and everybody concerned gets a mail")
    func merges() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let (from, into) = (apple.account.id, session.account.id)
        let identity = try await system.session(of: apple).session.identityID
        let handle = try await system.handle(in: session)
        _ = try await system.notices()

        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.from == from && plan.into == into && plan.consent == nil)
        #expect(plan.moves.identities.map(\.id) == [identity] && plan.moves.profile == [])
        #expect(plan.losses.identities == [] && plan.losses.profile == [] && plan.losses.sessions == 1)
        #expect(plan.expiresAt == system.now + .minutes(5))
        #expect(try await system.accountCount() == 2, "a plan changes nothing")

        let merged = try await system.merge(handle, plan.confirmation, into: session)
        #expect(merged.from == from && merged.account.id == into && merged.mergedAt == system.now)
        #expect(try await system.accountCount() == 1)
        #expect(try await system.links.list(in: session.session).map(\.provider).sorted() == ["apple", "email"])
        #expect(try await system.store.appleTokens(of: identity).count == 1)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.signInWithApple().account.id == into)
        #expect(try await system.signIn().account.id == into)

        #expect(try await system.events(of: from).last == .accountMerged)
        #expect(try await system.events(of: into).contains(.accountMerged))
        let notices = try await system.notices().filter { $0.kind == .accountMerged }
        #expect(notices.map(\.accountID) == [from] && notices.map(\.mergedInto) == [into])
        #expect(try await system.audit(of: from) == [.accountMerged])
        #expect(try await system.audit(of: into).isSuperset(of: [.accountMerged, .signedIn, .sessionEnded]))
        let recipients = try await system.mails(.merged).map(\.recipient)
        #expect(Set(recipients) == [PasswordSystem.address, try #require(apple.account.email)])
        let export = try await system.domain.exports.export(into).export
        #expect(export.mergedAccounts.map(\.id) == [from])
        #expect(try await system.store.accountMerged(from: from)?.into == into)
        #expect(try await system.count("conflict_handles") == 0)
    }

    @Test("An account that was merged before follows the next merge, and its sessions get the final account's id")
    func chain() async throws {
        let system = try await PasswordSystem()
        let first = try await system.signInWithApple()
        let second = try await system.makeAccount()
        try await system.merge(into: second)
        let third = try await system.session(of: system.signInWithApple("zoe"))
        try await system.merge(into: third)
        let error = await expectError(.accountMerged) { _ = try await system.session(of: first) }
        #expect(error?.mergedInto == third.account.id)
        #expect(try await system.signIn().account.id == third.account.id)
        #expect(try await system.store.accountMerged(from: first.account.id)?.into == third.account.id)
        #expect(try await system.domain.exports.export(third.account.id).export.mergedAccounts.count == 2)

        _ = try await system.domain.deletions.delete(accountOf: third, from: .unknown)
        for table in ["accounts", "identities", "sessions", "merged_accounts", "passwords"] as [SQLStatement] {
            #expect(try await system.count(table) == 0, "\(table)")
        }
        await expectError(.sessionEnded) { _ = try await system.session(of: first) }
    }

    @Test("An account has one e-mail address to sign in with: the other is lost, and the person sees that before")
    func address() async throws {
        let system = try await PasswordSystem()
        let from = try await system.makeAccount()
        try await system.link(from)
        let into = try await system.makeAccount("ann@example.com", password: PasswordSystem.otherPassword)
        let (account, now) = (from.account.id, system.now)
        _ = try await system.store.write { connection in
            try connection.execute(
                "UPDATE accounts SET contact_email = ?2, contact_email_verified_at = ?3 WHERE id = ?1",
                [.id(account), .text("contact@example.net"), .time(now)])
        }
        let handle = try await system.handle(in: into)
        let plan = try await system.merges.plan(with: handle, in: into)
        #expect(plan.moves.identities.map(\.provider) == ["apple"])
        #expect(plan.losses.identities.map(\.address) == [PasswordSystem.address])
        try await system.merge(handle, plan.confirmation, into: into)
        #expect(try await system.audit(of: into.account.id).contains(.identityUnlinked))
        let recipients = try await system.mails(.merged).map(\.recipient)
        #expect(recipients.sorted() == ["ann@example.com", "contact@example.net", PasswordSystem.address])
        let events = try await system.events(of: from.account.id)
        #expect(events.contains(.unlinked) && events.last == .accountMerged)
        await expectError(.wrongCredentials) { try await system.signIn() }
        let back = try await system.signIn("ann@example.com", password: PasswordSystem.otherPassword)
        #expect(back.account.id == into.account.id)
        #expect(try await system.makeAccount().account.id != into.account.id, "the address is free")
    }

    @Test("The remaining account keeps its profile, and gets the parts that it lacks")
    func profile() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let session = try await system.makeAccount(name: PersonName(givenName: "Zoë"))
        _ = try await system.store.write { connection in
            try connection.execute(
                "UPDATE accounts SET given_name = ?2, phone = ?3, contact_email = ?4 WHERE id = ?1",
                [.id(apple.account.id), .text("Johnny"), .text("+493012345678"), .text("j@example.com")])
        }
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.moves.profile == [.contactEmail, .phone] && plan.losses.profile == [.name])
        let account = try await system.merge(handle, plan.confirmation, into: session).account
        #expect(account.name?.givenName == "Zoë" && account.phone == "+493012345678")
        #expect(account.contactEmail == "j@example.com")
    }

    @Test("The same call again has the same outcome, and changes nothing")
    func again() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let first = try await system.merge(handle, plan.confirmation, into: session)
        system.clock.advance(by: .seconds(10))
        let second = try await system.merge(handle, plan.confirmation, into: session)
        #expect(second.from == first.from && second.mergedAt == first.mergedAt)
        #expect(second.account.id == first.account.id)
        #expect(try await system.events(of: session.account.id).filter { $0 == .accountMerged }.count == 1)
        #expect(try await system.mails(.merged).count == 2)
        await expectError(.handleInvalid) { _ = try await system.merges.plan(with: handle, in: session) }
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(with: handle, in: session, from: .unknown)
        }
    }

    @Test("If the accounts changed since the person saw the plan, the merge is refused until they see the new one")
    func changed() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let seen = try await system.merges.plan(with: handle, in: session)
        try await system.link(apple, person: "zoe")
        await expectError(.mergeChanged) { try await system.merge(handle, seen.confirmation, into: session) }
        #expect(try await system.accountCount() == 2)
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.moves.identities.count == 2 && plan.confirmation != seen.confirmation)
        try await system.merge(handle, plan.confirmation, into: session)
        #expect(try await system.signInWithApple("zoe").account.id == session.account.id)
    }

    @Test("A handle becomes invalid with the access at Apple that proved it, for a sign-in and for a merge")
    func accessEnded() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let identity = try #require(try await system.store.identities(of: apple.account.id).first)
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        system.clock.advance(by: .seconds(5))
        _ = try await system.store.applyNotification(
            .sample(.consentRevoked, identity.subject, team: identity.team, happenedAt: system.now))
        await expectError(.handleInvalid) { _ = try await system.merges.plan(with: handle, in: session) }
        await expectError(.handleInvalid) { try await system.merge(handle, plan.confirmation, into: session) }
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(with: handle, in: session, from: .unknown)
        }
        #expect(try await system.accountCount() == 2)
        #expect(try await system.links.list(in: session.session).map(\.provider) == ["email"])
    }

    /// Notes that a link can take a change of an account's contact address back.
    private func addContactChange(
        _ system: PasswordSystem, of account: AccountID, from former: String?, _ secret: String, session: SessionID
    ) async throws {
        let now = system.now
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                INSERT INTO contact_changes (hash, account_id, former_email, former_verified_at, asked_at, changed_at,
                    expires_at, asked_session_id, changed_session_id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?7)
                """,
                [
                    .hash(TokenHash(of: secret)), .id(account), .text(orNull: former),
                    former == nil ? .null : .time(now),
                    .time(now), .time(now + .days(7)), .id(session),
                ])
        }
    }

    @Test("The link that takes a contact address back moves with the address", arguments: [true, false])
    func contactChange(isAlone: Bool) async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        try await addContactChange(
            system, of: apple.account.id, from: "a@example.com", "one", session: apple.session.id)
        if !isAlone {
            try await addContactChange(system, of: session.account.id, from: nil, "two", session: session.session.id)
        }
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.moves.profile == (isAlone ? [.contactEmailChange] : []))
        #expect(plan.losses.profile == (isAlone ? [] : [.contactEmailChange]))
        try await system.merge(handle, plan.confirmation, into: session)
        let hashes = try await system.store.read { connection in
            try connection.query(
                "SELECT hash FROM contact_changes WHERE account_id = ?1 ORDER BY changed_at", [.id(session.account.id)]
            ) { try $0.hash() }
        }
        // The remaining account gets a link of its own beside one that moves.
        #expect(hashes.count == (isAlone ? 2 : 1) && hashes.last == TokenHash(of: isAlone ? "one" : "two"))
        #expect(try await system.count("contact_changes") == Int64(hashes.count))
    }

    @Test("A disabled account, another session, an old sign-in and an old handle are refused")
    func refused() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        await expectError(.handleInvalid) { _ = try await system.merges.plan(with: handle, in: other) }
        // An app has this handle, and no browser.
        let browser = try #require(BrowserSecret(rawValue: String(repeating: "A", count: 43)))
        await expectError(.handleInvalid) {
            _ = try await system.merges.plan(with: handle, in: session, browser: browser)
        }
        await expectError(.handleInvalid) { try await system.merge(handle, plan.confirmation, into: other) }

        // Disabling removes the handles that there are.
        _ = try await system.domain.directory.disable(apple.account.id)
        await expectError(.handleInvalid) { _ = try await system.merges.plan(with: handle, in: session) }
        await expectError(.handleInvalid) { try await system.merge(handle, plan.confirmation, into: session) }
        let late = try await system.handle(in: session)
        await expectError(.accountDisabled) { _ = try await system.merges.plan(with: late, in: session) }
        await expectError(.accountDisabled) { try await system.merge(late, plan.confirmation, into: session) }
        _ = try await system.domain.directory.enable(apple.account.id)

        system.clock.advance(by: .minutes(5))
        await expectError(.requiresRecentLogin) { _ = try await system.merges.plan(with: late, in: session) }
        await expectError(.requiresRecentLogin) { try await system.merge(late, plan.confirmation, into: session) }
        var renewed = session
        renewed.session.authenticatedAt = system.now
        await expectError(.handleInvalid) { [renewed] in
            try await system.merge(late, plan.confirmation, into: renewed)
        }
        #expect(try await system.accountCount() == 2)
    }
}
