import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    /// The ways in of this service, as a configuration with other usable ways in has them.
    fileprivate func links(taking ways: UsableWaysIn) -> Links {
        Links(
            attempts: links.attempts, verifier: links.verifier, vault: links.vault, sessions: links.sessions,
            store: store, texts: links.texts, ways: ways, finishing: links.finishing, signal: links.signal,
            mail: links.mail, environment: links.environment)
    }
}

/// A person who is about to move to another team.
struct AwaitedMove {
    let id: TransferID
    /// The person at the receiving team.
    let there: TransferTarget
    /// The hashes of the person at either team.
    let former: TokenHash
    let new: TokenHash
}

extension PasswordSystem {
    /// Exports the person of an identity, without Apple's help.
    func awaitedMove(of identity: IdentityID, of account: AccountID, number: Int) async throws -> AwaitedMove {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        let there = TransferTarget(team: "OTHERTEAM1", subject: Subject("001999.there\(number)"))
        let id = TransferID(rawValue: "trf_\(number)")
        let moment = now
        _ = try await store.write { connection in
            try connection.execute(
                """
                INSERT INTO transfers (id, source, target, account_id, identity_id, is_received, former_subject,
                    transfer_subject, state, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'exported', ?9)
                """,
                [
                    .id(id), .text(found.team), .text(there.team), .id(account), .id(identity), .flag(false),
                    .text(found.subject), .text("transfer\(number)"), .time(moment),
                ])
        }
        return AwaitedMove(
            id: id, there: there, former: TokenHash.person(team: found.team, subject: found.subject),
            new: TokenHash.person(team: there.team, subject: there.subject))
    }

    /// Moves a person to the other team.
    /// - Returns: whether they were moved.
    func move(_ move: AwaitedMove, of account: AccountID, at moment: Timestamp) async throws -> Bool {
        let outcome = try await store.move(
            move.id, to: move.there, at: moment, by: .service(),
            identityID: IdentityID(rawValue: "idn_\(move.id.rawValue)"))
        return outcome == .moved(account)
    }

    /// The persons for whom revocations of an identity wait.
    func revokedPeople(of identity: IdentityID) async throws -> [TokenHash] {
        try await store.read { connection in
            try connection.query(
                "SELECT person_hash FROM outbox WHERE kind = 'revocation' AND identity_id = ?1", [.id(identity)]
            ) { try $0.hash() }
        }
    }
}

@Suite("The removal of a way in", .eachEngine)
struct UnlinkTests {
    @Test("Apple is asked to revoke, the Apple Account's sessions end, and the password stays")
    func apple() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        let byApple = try await system.session(of: system.signInWithApple())
        let done = try await system.links.remove(apple.id, in: session, from: PasswordSystem.caller)
        #expect(done.identities.map(\.provider) == ["email"] && !done.endsSession && !done.needsManualRemoval)
        #expect(try await system.end(of: byApple) == .unlinked)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.count("apple_tokens") == 0)
        let revocations = try await system.store.read { connection in
            try connection.first("SELECT count(*) FROM outbox WHERE kind = 'revocation'", []) { try $0.int64() }
        }
        #expect(revocations == 1)
        #expect(try await system.signIn().account.id == session.account.id)

        let mails = try await system.mails(.unlinked)
        #expect(mails.map(\.recipient) == [PasswordSystem.address])
        #expect(mails[0].values["way"] == "apple" && mails[0].values["address"] == apple.address)
        #expect(try await system.events(of: session.account.id).contains(.unlinked))
        #expect(try await system.audit(of: session.account.id).contains(.identityUnlinked))
        let notices = try await system.notices()
        #expect(notices.map(\.kind) == [.accountCreated, .accountLinked, .accountUnlinked])
        #expect(notices.last?.identityID == apple.id)

        let new = try await system.signInWithApple()
        #expect(new.isNewAccount && new.account.id != session.account.id)
    }

    @Test("The Apple Account can be linked again, which cancels the revocation")
    func again() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        _ = try await system.links.remove(apple.id, in: session, from: .unknown)
        system.clock.advance(by: .seconds(2))
        let linked = try await system.link(session)
        #expect(linked.count == 2 && linked[1].id != apple.id)
        let open = try await system.store.read { connection in
            try connection.first("SELECT count(*) FROM outbox WHERE finished_at IS NULL", []) { try $0.int64() }
        }
        #expect(open == 0)
        #expect(try await system.store.appleTokens(of: linked[1].id).count == 1)
        #expect(try await system.signInWithApple().account.id == session.account.id)
    }

    @Test("An address is removed with its password and its links, and its session ends if it asked")
    func email() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        try await system.link(session)
        let waiting = try await system.signInLink()
        let done = try await system.links.remove(session.session.identityID, in: session, from: .unknown)
        #expect(done.identities.map(\.provider) == ["apple"] && done.endsSession)
        #expect(try await system.end(of: session) == .unlinked)
        #expect(try await system.count("passwords") == 0)
        #expect(try await system.mails(.unlinked).map(\.recipient) == [PasswordSystem.address])
        await expectError(.wrongCredentials) { try await system.signIn() }
        await expectError(.linkUnknown) { try await system.finishSignIn(waiting, email: PasswordSystem.address) }
        #expect(try await system.signInWithApple().account.id == session.account.id)
        #expect(try await system.makeAccount().account.id != session.account.id)
    }

    @Test("The last way in can't be removed, and neither can the last one that the server accepts")
    func last() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        await expectError(.lastWayIn) {
            _ = try await system.links.remove(session.session.identityID, in: session, from: .unknown)
        }
        let apple = try await system.link(session)[1]
        let teams = system.links.ways.teams
        let withoutPasswords = system.links(taking: UsableWaysIn(takesPasswords: false, teams: teams))
        await expectError(.lastWayIn) { _ = try await withoutPasswords.remove(apple.id, in: session, from: .unknown) }
        #expect(try await system.links.list(in: session.session).count == 2)
        #expect(try await system.signInWithApple().account.id == session.account.id)
    }

    @Test("The address beside an Apple Account of an unconfigured team can't be removed")
    func unusedTeam() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        let links = system.links(taking: UsableWaysIn(takesPasswords: true, teams: ["OTHERTEAM1"]))
        await expectError(.lastWayIn) {
            _ = try await links.remove(session.session.identityID, in: session, from: .unknown)
        }
        let list = try await links.list(in: session.session)
        #expect(list.filter { links.isRemovable($0, of: list) }.map(\.id) == [apple.id])
        _ = try await links.remove(apple.id, in: session, from: .unknown)
        #expect(try await system.signIn().account.id == session.account.id)
    }

    @Test("Another account's identity is unknown, and so is a removed one")
    func unknown() async throws {
        let system = try await PasswordSystem()
        let other = try await system.session(of: system.signInWithApple("zoe"))
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        for id in [other.session.identityID, IdentityID(rawValue: "idn_nobody")] {
            await expectError(.identityUnknown) { _ = try await system.links.remove(id, in: session, from: .unknown) }
        }
        _ = try await system.links.remove(apple.id, in: session, from: .unknown)
        await expectError(.identityUnknown) {
            _ = try await system.links.remove(apple.id, in: session, from: .unknown)
        }
        #expect(try await system.signInWithApple("zoe").account.id == other.account.id)
    }

    @Test("A removal needs a recent sign-in")
    func recentSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let apple = try await system.link(session)[1]
        system.clock.advance(by: .seconds(301))
        await expectError(.requiresRecentLogin) {
            _ = try await system.links.remove(apple.id, in: session, from: .unknown)
        }
    }

    @Test("If both of two ways in are removed at once, one stays")
    func race() async throws {
        let system = try await PasswordSystem()
        for round in 0..<20 {
            let session = try await system.makeAccount("person\(round)@example.com")
            let linked = try await system.link(session)
            let byApple = try await system.session(of: system.signInWithApple())
            let requests = [(linked[0].id, byApple), (linked[1].id, session)]
            let codes = try await atOnce(2) { index in
                do {
                    _ = try await system.links.remove(requests[index].0, in: requests[index].1, from: .unknown)
                    return "done"
                } catch let error as AccountError {
                    return error.code.description
                }
            }
            // The removal of one ends the session of the other, which opened it.
            #expect(codes.filter { $0 == "done" }.count == 1, "\(codes)")
            #expect(try await system.store.identities(of: session.account.id).count == 1)
            _ = try await system.domain.directory.delete(session.account.id)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("A removal during a transfer to another team revokes for the person's current team and subject")
    func transfer() async throws {
        let system = try await PasswordSystem()
        for round in 0..<20 {
            let session = try await system.makeAccount("person\(round)@example.com")
            let apple = try #require(try await system.link(session).last)
            let move = try await system.awaitedMove(of: apple.id, of: session.account.id, number: round)
            let at = system.now
            let moves = try await atOnce(2) { index -> Bool in
                guard index == 0 else {
                    _ = try await system.links.remove(apple.id, in: session, from: .unknown)
                    return false
                }
                return try await system.move(move, of: session.account.id, at: at)
            }
            #expect(
                try await system.revokedPeople(of: apple.id) == [moves.contains(true) ? move.new : move.former])
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("A deletion revokes every Apple Account of the account")
    func deletion() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple())
        try await system.link(session, person: "zoe")
        let receipt = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
        let waiting = try await system.store.read { connection in
            try connection.first(
                "SELECT count(*) FROM outbox WHERE deletion_hash IS NOT NULL AND kind = 'revocation'", []
            ) { try $0.int64() }
        }
        #expect(waiting == 2)
        #expect(try await system.domain.deletions.deletion(receipt.handle).state == .waiting)
        for person in ["johnny", "zoe"] { #expect(try await system.signInWithApple(person).isNewAccount) }
        #expect(try await system.accountCount() == 2)
    }
}
