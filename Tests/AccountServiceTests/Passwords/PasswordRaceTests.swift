import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Passwords, links and upgrades at one moment", .eachEngine)
struct PasswordRaceTests {
    private func liveSessions(of account: AccountID, _ system: PasswordSystem) async throws -> Set<SessionID> {
        try await Set(system.store.sessions(of: account, liveAt: system.now, before: nil, limit: 99).map(\.id))
    }

    @Test("A sign-in with the old password opens no session that a change which ends the others leaves open")
    func changeAndSignIn() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        let passwords = [PasswordSystem.password, PasswordSystem.otherPassword]
        for round in 0..<24 {
            let (old, new) = (passwords[round % 2], passwords[(round + 1) % 2])
            let proven = try await system.passwords.prove(old, of: form, from: .unknown)
            let (record, _) = try system.passwords.record(
                of: form, address: nil, session: .tokens(client: nil), at: system.now, from: .unknown)
            let ends = try await race([
                { _ = try await system.store.signIn(record, with: proven) },
                {
                    try await system.passwords.change(
                        current: old, to: new, endingOthers: true, in: session, from: .unknown)
                },
            ])
            #expect(ends[1] == "done" && ["done", "wrong_credentials"].contains(ends[0]))
            #expect(try await liveSessions(of: session.account.id, system) == [session.session.id])
            system.clock.advance(by: .seconds(1))
        }
    }

    @Test("The same change twice at one moment succeeds twice, and sets the password once")
    func changeTwice() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let passwords = [PasswordSystem.password, PasswordSystem.otherPassword]
        for round in 0..<4 {
            let (old, new) = (passwords[round % 2], passwords[(round + 1) % 2])
            let change: @Sendable () async throws -> Void = {
                try await system.passwords.change(
                    current: old, to: new, endingOthers: true, in: session, from: .unknown)
            }
            #expect(try await race([change, change]) == ["done", "done"])
            #expect(try await system.mails(.passwordChanged).count == round + 1)
            system.clock.advance(by: .seconds(1))
        }
    }

    @Test("A sign-in with the old password doesn't outlive a reset")
    func resetAndSignIn() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        let passwords = [PasswordSystem.password, PasswordSystem.otherPassword]
        for round in 0..<5 {
            let (old, new) = (passwords[round % 2], passwords[(round + 1) % 2])
            let proven = try await system.passwords.prove(old, of: form, from: .unknown)
            let (record, _) = try system.passwords.record(
                of: form, address: nil, session: .tokens(client: nil), at: system.now, from: .unknown)
            let link = try await system.resetLink()
            let ends = try await race([
                { _ = try await system.store.signIn(record, with: proven) },
                { try await system.passwords.finishReset(link, newPassword: new, from: .unknown) },
            ])
            #expect(ends[1] == "done" && ["done", "wrong_credentials"].contains(ends[0]))
            #expect(try await liveSessions(of: account, system).isEmpty)
            system.clock.advance(by: .days(2))
        }
    }

    @Test("A proof with the old password leaves no session that a reset hasn't ended")
    func resetAndReauthentication() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        let passwords = [PasswordSystem.password, PasswordSystem.otherPassword]
        for round in 0..<5 {
            let (old, new) = (passwords[round % 2], passwords[(round + 1) % 2])
            let session = try await system.session(of: system.signIn(password: old))
            let proven = try await system.passwords.prove(old, of: form, from: .unknown)
            let (successor, _) = system.passwords.sessions.prepare(
                .tokens, clientID: PasswordSystem.juice, authenticatedAt: system.now, at: system.now)
            let link = try await system.resetLink()
            let ends = try await race([
                {
                    _ = try await system.store.reauthenticate(
                        session.session.id, with: proven, successor: successor, from: .unknown)
                },
                { try await system.passwords.finishReset(link, newPassword: new, from: .unknown) },
            ])
            #expect(ends[1] == "done" && ["done", "session_ended", "wrong_credentials"].contains(ends[0]))
            #expect(try await liveSessions(of: account, system).isEmpty)
            system.clock.advance(by: .days(2))
        }
    }

    @Test("A sign-in by a link opens no session that a change which ends the others leaves open")
    func changeAndLink() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let passwords = [PasswordSystem.password, PasswordSystem.otherPassword]
        for round in 0..<8 {
            let (old, new) = (passwords[round % 2], passwords[(round + 1) % 2])
            let session = try await system.session(of: system.signIn(password: old))
            let link = try await system.signInLink()
            let ends = try await race([
                { try await system.finishSignIn(link, email: PasswordSystem.address) },
                {
                    try await system.passwords.change(
                        current: old, to: new, endingOthers: true, in: session, from: .unknown)
                },
            ])
            #expect(ends[1] == "done" && ["done", "link_unknown"].contains(ends[0]))
            #expect(try await liveSessions(of: account, system) == [session.session.id])
            system.clock.advance(by: .hours(25))
        }
    }

    @Test("The hundredth wrong password turns off no password that a reset sets at that moment")
    func resetAndOff() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount().account.id
        let form = try EmailForm(EmailAddress(PasswordSystem.address))
        for _ in 0..<4 {
            let version = try #require(try await system.store.emailIdentity(of: form)?.password?.version)
            let last = try await system.reserveHundred()
            let link = try await system.resetLink()
            let ends = try await race([
                { _ = try await system.store.turnPasswordOff(last, version, mail: nil, from: .unknown) },
                {
                    try await system.passwords.finishReset(
                        link, newPassword: PasswordSystem.otherPassword, from: .unknown)
                },
            ])
            #expect(ends == ["done", "done"])
            #expect(try await !system.domain.waysIn(of: account).isOff)
        }
    }

    @Test("If three calls finish one link for a reset or a sign-in at once, one succeeds", arguments: [true, false])
    func finishes(isReset: Bool) async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let link = try await isReset ? system.resetLink() : system.signInLink()
        let finish: @Sendable () async throws -> Void = {
            if isReset {
                try await system.passwords.finishReset(
                    link, newPassword: PasswordSystem.otherPassword, from: .unknown)
            } else {
                try await system.finishSignIn(link, email: PasswordSystem.address)
            }
        }
        #expect(try await race([finish, finish, finish]).sorted() == ["done", "link_unknown", "link_unknown"])
    }

    @Test("A deletion and an upgrade at one moment leave nothing, and Apple's token is revoked")
    func deletionAndUpgrade() async throws {
        for _ in 0..<8 {
            let system = try await PasswordSystem()
            let session = try await system.makeAccount()
            let challenge = try system.domain.challenges.make(for: .upgrade, session: session.session.id)
            let credential = try await system.credential(nonce: challenge.nonce)
            let ends = try await race([
                {
                    _ = try await system.domain.upgrades.upgrade(
                        session, with: credential, consent: nil, endingOthers: false, from: .unknown)
                },
                { _ = try await system.domain.deletions.delete(accountOf: session) },
            ])
            await system.domain.finishing.idle()
            #expect(ends[1] == "done" && ["done", "session_ended"].contains(ends[0]))
            for table in ["accounts", "identities", "passwords", "sessions", "apple_tokens"] as [SQLStatement] {
                #expect(try await system.count(table) == 0, "\(table)")
            }
            let orders = try await system.count("outbox")
            #expect(ends[0] == "done" ? orders == 1 : orders <= 1, "what Apple gave is revoked")
        }
    }
}
