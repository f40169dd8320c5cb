import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    /// Tries to link an Apple Account of another account.
    /// - Returns: the handle for that account.
    fileprivate func conflict(_ session: StoredSession, person: String = "johnny") async throws -> ConflictHandle {
        let error = await expectError(.credentialAlreadyInUse) { try await link(session, person: person) }
        let conflict = try #require(error?.conflict)
        #expect(conflict.expiresAt == now + .minutes(5))
        return conflict.handle
    }

    fileprivate func signIn(_ handle: ConflictHandle, in session: StoredSession) async throws -> TokenSignIn {
        try await links.signIn(with: handle, in: session, from: Self.caller)
    }
}

@Suite("A credential of another account", .eachEngine)
struct ConflictTests {
    @Test("Its handle signs in to that account once, and the accounts stay separate")
    func signsIn() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let before = try await system.store.appleTokens(of: apple.session.identityID).map(\.id)
        system.clock.advance(by: .seconds(2))
        let session = try await system.makeAccount()
        let handle = try await system.conflict(session)
        #expect(try await system.links.list(in: session.session).count == 1)
        #expect(try await system.mails(.linked).isEmpty)
        let after = try await system.store.appleTokens(of: apple.session.identityID).map(\.id)
        #expect(after.count == 1 && before != after, "what Apple gave is the other account's")

        let done = try await system.signIn(handle, in: session)
        #expect(done.account.id == apple.account.id && !done.isNewAccount)
        #expect(done.account.email == apple.account.email)
        let opened = try await system.session(of: done)
        #expect(opened.session.identityID == apple.session.identityID)
        #expect(opened.session.clientID == PasswordSystem.juice && opened.session.hasNonceProof)
        #expect(opened.session.authenticatedAt == system.now)
        #expect(try await system.end(of: session) == .replaced)
        #expect(try await system.end(of: apple) == nil)
        await expectError(.handleInvalid) { _ = try await system.signIn(handle, in: session) }
        #expect(try await system.signIn().account.id == session.account.id)
        #expect(try await system.accountCount() == 2)
        #expect(try await system.count("conflict_handles") == 0)
    }

    @Test("The credential is used up, and the database has only a hash of the handle")
    func used() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let credential = try await system.linkCredential(for: session)
        let error = await expectError(.credentialAlreadyInUse) {
            _ = try await system.links.linkApple(in: session, with: credential, consent: nil, from: .unknown)
        }
        await expectError(.alreadyUsed) {
            _ = try await system.links.linkApple(in: session, with: credential, consent: nil, from: .unknown)
        }
        let hash = try await system.store.read { connection in
            try connection.first("SELECT hash FROM conflict_handles", []) { try $0.bytes() }
        }
        let conflict = try #require(error?.conflict)
        #expect(hash == TokenHash(of: conflict.handle.rawValue).bytes)
        #expect(!"\(conflict.handle) \(conflict)".contains(conflict.handle.rawValue))
    }

    @Test("The handle is refused in another session, after five minutes, and after another conflict")
    func bound() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        let other = try await system.session(of: system.signIn())
        let first = try await system.conflict(session)
        for foreign in [other, apple] {
            await expectError(.handleInvalid) { _ = try await system.signIn(first, in: foreign) }
        }
        let second = try await system.conflict(session)
        await expectError(.handleInvalid) { _ = try await system.signIn(first, in: session) }
        system.clock.advance(by: .minutes(5))
        await expectError(.handleInvalid) { _ = try await system.signIn(second, in: session) }
        _ = try await system.store.sweep(at: system.now, sessionsBefore: .start, limit: 100)
        #expect(try await system.count("conflict_handles") == 0)
    }

    @Test("The conflict is reported before a missing consent, and its handle signs in to the other account")
    func beforeConsent() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let session = try await system.makeAccount()
        let error = await expectError(.credentialAlreadyInUse) { try await system.link(session, hidesEmail: true) }
        let handle = try #require(error?.conflict?.handle)
        #expect(try await system.signIn(handle, in: session).account.id == apple.account.id)
    }

    @Test("The handle opens no account that is deleted, disabled, or no longer the person's")
    func gone() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        try await system.link(apple, person: "zoe")
        let session = try await system.makeAccount()
        let removed = try await system.conflict(session, person: "zoe")
        let zoe = try await system.links.list(in: apple.session)[1]
        _ = try await system.links.remove(zoe.id, in: apple, from: .unknown)
        await expectError(.handleInvalid) { _ = try await system.signIn(removed, in: session) }

        let disabled = try await system.conflict(session)
        _ = try await system.domain.directory.disable(apple.account.id)
        // Disabling removes the handles that sign in to the account, also for the time after it.
        await expectError(.handleInvalid) { _ = try await system.signIn(disabled, in: session) }
        _ = try await system.domain.directory.enable(apple.account.id)
        await expectError(.handleInvalid) { _ = try await system.signIn(disabled, in: session) }

        let deleted = try await system.conflict(session)
        _ = try await system.domain.directory.delete(apple.account.id)
        await expectError(.handleInvalid) { _ = try await system.signIn(deleted, in: session) }
        #expect(try await system.count("conflict_handles") == 0)
        #expect(try await system.end(of: session) == nil)
    }

    @Test("The audit of both accounts records the attempt, and the other account's has no caller")
    func audited() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        _ = try await system.conflict(session)
        let expected: [(AccountID, String?)] = [
            (session.account.id, PasswordSystem.caller.address), (apple.account.id, nil),
        ]
        for (account, address) in expected {
            let entries = try await system.store.auditEntries(of: account, before: nil, limit: 100)
                .filter { $0.event == .credentialConflict }
            #expect(entries.map(\.subject) == [apple.session.identityID.rawValue])
            #expect(entries.map(\.actor.caller.address) == [address])
        }
    }

    @Test("The handle doesn't work after the other account has signed out everywhere")
    func signedOutEverywhere() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        let handle = try await system.conflict(session)
        try await system.domain.sessions.endAll(as: apple.session, exceptActing: true, from: .unknown)
        await expectError(.handleInvalid) { _ = try await system.signIn(handle, in: session) }
        #expect(try await system.end(of: session) == nil)
    }

    @Test("A deletion of the asking account during a sign-in with a handle succeeds, and leaves no handle")
    func deletion() async throws {
        let system = try await PasswordSystem()
        for round in 0..<10 {
            let apple = try await system.signInWithApple().account.id
            let session = try await system.makeAccount("person\(round)@example.com")
            let handle = try await system.conflict(session)
            let outcomes = try await atOnce(2) { index in
                do {
                    guard index == 0 else {
                        _ = try await system.domain.directory.delete(session.account.id)
                        return "deleted"
                    }
                    return try await system.signIn(handle, in: session).account.id == apple ? "done" : "another"
                } catch let error as AccountError {
                    return error.code.description
                }
            }
            let others = outcomes.filter { $0 != "deleted" }
            #expect(
                others.count == 1 && ["done", "handle_invalid", "session_ended"].contains(others[0]), "\(outcomes)")
            #expect(try await system.accountCount() == 1)
            #expect(try await system.count("conflict_handles") == 0)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("If the asking account is deleted during a conflict, no handle and no caller is left")
    func askingAccountDeleted() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        for round in 0..<20 {
            let session = try await system.makeAccount("person\(round)@example.com")
            let credential = try await system.linkCredential(for: session)
            let outcomes = try await atOnce(2) { index in
                do {
                    guard index == 0 else {
                        // The link asks Apple first. The deletion begins at some point of that.
                        for _ in 0..<(round * 20) { await Task.yield() }
                        _ = try await system.domain.directory.delete(session.account.id)
                        return "deleted"
                    }
                    _ = try await system.links.linkApple(
                        in: session, with: credential, consent: nil, from: PasswordSystem.caller)
                    return "linked"
                } catch let error as AccountError {
                    return error.code.description
                }
            }
            let others = outcomes.filter { $0 != "deleted" }
            #expect(
                others.count == 1 && ["credential_already_in_use", "session_ended"].contains(others[0]), "\(outcomes)")
            let entries = try await system.store.auditEntries(of: session.account.id, before: nil, limit: 100)
            #expect(!entries.isEmpty && entries.allSatisfy { $0.actor.caller.address == nil })
            #expect(try await system.count("conflict_handles") == 0)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("Two conflicts of one session at once leave one handle")
    func twoConflicts() async throws {
        let system = try await PasswordSystem()
        for person in ["johnny", "zoe"] { _ = try await system.signInWithApple(person) }
        for round in 0..<10 {
            let session = try await system.makeAccount("person\(round)@example.com")
            var credentials: [NativeSignIn] = []
            for person in ["johnny", "zoe"] {
                credentials.append(try await system.linkCredential(for: session, person: person))
            }
            let requests = credentials
            let handles = try await atOnce(2) { index -> ConflictHandle? in
                do {
                    _ = try await system.links.linkApple(
                        in: session, with: requests[index], consent: nil, from: .unknown)
                    return nil
                } catch let error as AccountError {
                    return error.conflict?.handle
                }
            }
            #expect(handles.count { $0 != nil } == 2)
            #expect(try await system.count("conflict_handles") == 1)
            _ = try await system.domain.directory.delete(session.account.id)
        }
    }

    @Test("If two sign-ins use one handle at once, one succeeds")
    func race() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        let handle = try await system.conflict(session)
        let outcomes = try await atOnce(2) { _ in
            do {
                return try await system.signIn(handle, in: session).account.id == apple ? "done" : "another"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(outcomes.sorted() == ["done", "handle_invalid"])
        #expect(try await system.accountCount() == 2)
    }
}
