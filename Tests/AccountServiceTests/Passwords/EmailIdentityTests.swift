import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Logging
import Testing

@testable import AccountService

@Suite("An account with an e-mail address", .eachEngine)
struct EmailIdentityTests {
    @Test("A deletion is done at once, asks Apple nothing, and leaves nothing of the address")
    func deletion() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        _ = try await system.signInLink()
        _ = try await system.resetLink()
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        #expect(receipt.deletion.state == .done && receipt.deletion.finishedAt == system.now)
        #expect(try await system.domain.deletions.deletion(receipt.handle) == receipt.deletion)
        #expect(!receipt.deletion.hasApple, "Apple has no part in it")
        for table in ["accounts", "identities", "passwords", "email_links", "sessions", "outbox"] as [SQLStatement] {
            #expect(try await system.count(table) == 0, "\(table)")
        }
        let mails = try await system.mails(to: PasswordSystem.address)
        #expect(
            Set(mails.map(\.kind)) == [.signUp, .deletionDone] && mails.count == 2,
            "of the account no mail is left, only the one before it")
        await expectError(.wrongCredentials) { try await system.signIn() }

        let again = try await system.makeAccount(name: try .sample())
        #expect(again.account.id != session.account.id && again.account.name?.givenName == "Johnny")
    }

    @Test("An operator's deletion removes the password too, and needs Apple only for an Apple Account")
    func removal() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        let receipt = try await system.domain.directory.delete(session.account.id)
        #expect(receipt?.deletion.state == .done && receipt?.deletion.hasApple == false)
        let apple = try await system.domain.directory.delete(system.signInWithApple().account.id)
        #expect(apple?.deletion.hasApple == true)
        #expect(try await system.count("passwords") == 0)
    }

    @Test("An export tells the address, the time of the password and waiting links, and no hash")
    func export() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        _ = try await system.resetLink()
        let export = try await system.domain.exports.export(session.account.id).export
        let held = try #require(export.identities.first)
        #expect(export.identities.count == 1 && held.identity.provider == .email)
        #expect(held.identity.email == PasswordSystem.address && held.passwordSetAt == system.now)
        #expect(!held.isPasswordOff && held.appleTokens.isEmpty)
        let link = AccountExport.HeldLink(
            purpose: .reset, address: PasswordSystem.address, expiresAt: system.now + .minutes(15))
        #expect(export.emailLinks == [link])
        #expect(export.pendingProfiles.isEmpty && export.notifications.isEmpty)
        system.clock.advance(by: .minutes(15))
        #expect(try await system.domain.exports.export(session.account.id).export.emailLinks.isEmpty)
    }

    @Test("The address is not hidden, so a contact address and a phone number need no consent")
    func consent() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        #expect(try await system.domain.consents.missing(for: session.account.id) == nil)
        let account = try await system.domain.profiles.update(
            ProfileUpdate(phone: .set(PhoneNumber("+491701234567"))), in: session, from: .unknown)
        #expect(account.phone == "+491701234567")
    }

    @Test("The account has no credential state at Apple, and nothing to revoke")
    func nothingOfApples() async throws {
        let system = try await PasswordSystem()
        let session = try await system.makeAccount()
        #expect(try await system.domain.credentialStates.state(of: nil, for: session) == .notFound)
        let subject = Subject(PasswordSystem.address)
        #expect(try await system.domain.credentialStates.state(of: subject, for: session) == .notFound)
        let work = try await system.domain.revocations.revoke(RevocationRequest(), in: session, from: .unknown)
        #expect(work == RevocationWork(count: 0, needsManualRemoval: false))
        #expect(try await !system.audit(of: session.account.id).contains(.appleRevocationOrdered))
        await expectError(.credentialMismatch) {
            let request = RevocationRequest(authorizationCode: AuthorizationCode("c.0"))
            _ = try await system.domain.revocations.revoke(request, in: session, from: .unknown)
        }
        let challenge = try system.domain.challenges.make(for: .reauthenticate, session: session.session.id)
        await expectError(.credentialMismatch) {
            _ = try await system.domain.reauthentications.reauthenticate(
                session, with: system.credential(nonce: challenge.nonce), from: .unknown)
        }
    }

    @Test("Mails about the account go to its address")
    func mails() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        _ = try await system.passwords.signIn(
            email: PasswordSystem.address, password: PasswordSystem.password, client: nil,
            from: Caller(device: DeviceName(cleaning: "Another")))
        #expect(try await system.mails(.newDevice).map(\.recipient) == [PasswordSystem.address])
    }

    @Test("Two spellings of one address sign in to one account")
    func spellings() async throws {
        let system = try await PasswordSystem()
        let account = try await system.makeAccount("Zoë@Bücher.example").account
        for spelling in ["zoë@bücher.example", "ZOË@xn--bcher-kva.example", "zoe\u{308}@BÜCHER.example"] {
            #expect(try await system.signIn(spelling).account.id == account.id)
        }
        #expect(account.email == "Zoë@Bücher.example")
    }

    @Test("Without the setting the service takes no passwords, and with it, it needs mail")
    func setting() async throws {
        let without = try await MailSystem()
        #expect(without.domain.passwords == nil)
        let system = try await PasswordSystem()
        var configuration = system.domain.configuration
        configuration.nativeClients = []
        configuration.webClient = nil
        let error = await expectError(.configuration) {
            _ = try await AccountDomain(
                configuration: configuration,
                apple: AppleIDClient(clients: [], transport: NoNetwork(), logger: Logger(label: "test")),
                store: system.store, environment: without.clock.environment, logger: Logger(label: "test"))
        }
        #expect(error?.reason.hasPrefix("passwords need mail") == true)
    }
}
