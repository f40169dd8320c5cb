import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Foundation
import OpenIDConnect
import Testing

@testable import AccountService

@Suite("A link of an identity at another provider", .eachEngine)
struct ProviderLinkTests {
    @Test("The person can sign in either way, and a mail, an event, the audit and hooks report the link")
    func links() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.makeAccount()
        let linked = try await system.link(.init(givenName: "Ann"), to: session)
        #expect(linked.map(\.provider) == ["email", "example"] && linked[1].address == "ann@example.org")
        let other = try await system.link(.init(), at: 1, to: session)
        #expect(other.map(\.provider) == ["email", "example", "other"])
        let first = try await system.signInWithProvider()
        #expect(first.account.id == session.account.id && first.account.name?.givenName == "Ann")
        #expect(try await system.signInWithProvider(at: 1).account.id == session.account.id)
        #expect(try await system.signIn().account.id == session.account.id)
        let ways = try await system.domain.waysIn(of: session.account.id)
        #expect(!ways.apple && ways.providers == ["example", "other"] && ways.emailIdentity != nil)

        let mails = try await system.mails(.linked)
        #expect(mails.map { $0.values["way"] } == ["example", "other"])
        #expect(mails.map { $0.values["provider"] } == ["Example", "Other"])
        #expect(try await system.events(of: session.account.id).filter { $0 == .linked }.count == 2)
        #expect(try await system.audit(of: session.account.id).contains(.identityLinked))
        #expect(try await system.notices().map(\.kind) == [.accountCreated, .accountLinked, .accountLinked])
    }

    @Test("Data that identify a person join a hidden Apple Account only with consent, in either order")
    func consent() async throws {
        let system = try await PasswordSystem.withProviders()
        let hidden = try await system.session(of: system.signInWithApple(hidesEmail: true))
        // The provider's token names a person, whether or not it has an address.
        let credential = try system.providerCredential(.init(email: nil), for: .link, in: hidden)
        await expectError(.consentRequired) {
            _ = try await system.links.link(in: hidden, with: credential, consent: nil, from: .unknown)
        }
        let consent = ConsentGiven(textVersion: system.consentText)
        let linked = try await system.links.link(in: hidden, with: credential, consent: consent, from: .unknown)
        #expect(linked.map(\.provider) == ["apple", "example"], "the credential was as good as before")
        #expect(try await system.domain.consents.list(of: hidden.account.id).count == 1)

        let told = try await system.session(of: system.signInWithProvider(at: 1))
        await expectError(.consentRequired) { try await system.link(told, person: "zoe", hidesEmail: true) }
        let both = try await system.link(told, person: "zoe", hidesEmail: true, consent: system.consentText)
        #expect(both.map(\.provider) == ["other", "apple"])
    }

    @Test("An identity of another account is a conflict, and its handle signs in there once")
    func conflict() async throws {
        let system = try await PasswordSystem.withProviders()
        let other = try await system.signInWithProvider()
        let session = try await system.makeAccount()
        let error = await expectError(.credentialAlreadyInUse) { try await system.link(.init(), to: session) }
        let handle = try #require(error?.conflict?.handle)
        let done = try await system.links.signIn(with: handle, in: session, from: .unknown)
        #expect(done.account.id == other.account.id && !done.isNewAccount)
        #expect(try await system.end(of: session) == .replaced)
        let again = try await system.session(of: system.signIn())
        await expectError(.handleInvalid) {
            _ = try await system.links.signIn(with: handle, in: again, from: .unknown)
        }
    }

    @Test("A conflict at one provider opens no account of the same subject at another one")
    func conflictOfOneProvider() async throws {
        let system = try await PasswordSystem.withProviders()
        let account = try await system.signInWithProvider(.init("person-1")).account.id
        let elsewhere = try await system.signInWithProvider(.init("person-1"), at: 1).account.id
        let session = try await system.makeAccount()
        let error = await expectError(.credentialAlreadyInUse) { try await system.link(.init(), at: 1, to: session) }
        let handle = try #require(error?.conflict?.handle)
        let done = try await system.links.signIn(with: handle, in: session, from: .unknown)
        #expect(done.account.id == elsewhere && elsewhere != account)
    }

    @Test("A removed identity no longer opens the account, and nothing is revoked at the provider")
    func removal() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.makeAccount()
        let identity = try await system.link(.init(), to: session)[1]
        let byProvider = try await system.session(of: system.signInWithProvider())
        let done = try await system.links.remove(identity.id, in: session, from: .unknown)
        #expect(done.identities.map(\.provider) == ["email"] && !done.needsManualRemoval)
        #expect(try await system.end(of: byProvider) == .unlinked)
        #expect(try await system.count("outbox") == 0)
        let new = try await system.signInWithProvider()
        #expect(new.isNewAccount && new.account.id != session.account.id)
    }

    @Test("An identity at a provider that is no longer configured doesn't count as a remaining way in")
    func lastWayIn() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.makeAccount()
        let identities = try await system.link(.init(), to: session)
        let later = try await PasswordSystem(sharing: system, providers: ["other"])
        await expectError(.lastWayIn) {
            _ = try await later.links.remove(identities[0].id, in: session, from: .unknown)
        }
        #expect(try await later.links.list(in: session.session).map(\.provider) == ["email", "example"])
        let credential = try system.providerCredential()
        await expectError(.providerUnknown) { _ = try await later.domain.signIn.native(credential, from: .unknown) }
        _ = try await system.links.remove(identities[0].id, in: session, from: .unknown)
    }

    @Test("A wrong setting can be corrected before the first sign-in, and Microsoft's can be narrowed later, too")
    func correction() async throws {
        let system = try await PasswordSystem.withProviders()
        let now: @Sendable () -> Date = { [clock = system.clock] in clock.now }
        let corrected = TestOpenIDProvider("example", issuer: "https://example.example.com/", now: now)
        try await system.store.bind([try corrected.makeClient().configuration], at: system.now)
        let renamed = TestOpenIDProvider("renamed", issuer: "https://example.example.com/", now: now)
        try await system.store.bind([try renamed.makeClient().configuration], at: system.now)
        #expect(try await system.count("providers") == 2)

        let tenant = "11111111-2222-3333-4444-555555555555"
        func bind(_ accounts: ProviderConfiguration.MicrosoftAccounts) async throws {
            let microsoft = try ProviderConfiguration.microsoft(accounts, clientID: "client-1", credential: nil)
            try await system.store.bind([microsoft], at: system.now)
        }
        try await bind(.all)
        let someone = try await system.signInWithApple().account.id
        try await system.store.write { connection in
            _ = try connection.execute(
                "UPDATE identities SET provider = 'microsoft', team = ?2 WHERE account_id = ?1",
                [.id(someone), .text("https://login.microsoftonline.com/\(tenant)/v2.0")])
        }
        try await bind(.directory(tenant))
        try await bind(.personal)
        try await bind(.all)
        let moved = TestOpenIDProvider("microsoft", issuer: "https://id.example.com", now: now)
        await expectError(.configuration) {
            try await system.store.bind([try moved.makeClient().configuration], at: system.now)
        }
    }

    @Test("A Microsoft directory whose people have signed in can't be configured under another id, and another one can")
    func directory() async throws {
        let system = try await PasswordSystem.withProviders()
        let now: @Sendable () -> Date = { [clock = system.clock] in clock.now }
        let issuers = ["11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-000000000000"].map {
            "https://login.microsoftonline.com/\($0)/v2.0"
        }
        let microsoft = try ProviderConfiguration.microsoft(.all, clientID: "client-1", credential: nil)
        try await system.store.bind([microsoft], at: system.now)
        let someone = try await system.signInWithApple().account.id
        try await system.store.write { connection in
            _ = try connection.execute(
                "UPDATE identities SET provider = 'microsoft', team = ?2 WHERE account_id = ?1",
                [.id(someone), .text(issuers[0])])
        }
        let own = TestOpenIDProvider("contoso", issuer: issuers[0], now: now)
        await expectError(.configuration) {
            try await system.store.bind([try own.makeClient().configuration], at: system.now)
        }
        let other = TestOpenIDProvider("contoso", issuer: issuers[1], now: now)
        try await system.store.bind([try other.makeClient().configuration], at: system.now)
        #expect(try await system.count("providers") == 4)
        try await system.store.bind([microsoft], at: system.now)
    }

    @Test("A database is bound to the issuer of each provider")
    func issuers() async throws {
        let system = try await PasswordSystem.withProviders()
        try await system.signInWithProvider()
        let now: @Sendable () -> Date = { [clock = system.clock] in clock.now }
        let moved = TestOpenIDProvider("example", issuer: "https://elsewhere.example.com", now: now)
        await expectError(.configuration) {
            try await system.store.bind([try moved.makeClient().configuration], at: system.now)
        }
        let renamed = TestOpenIDProvider("renamed", issuer: "https://example.example.com", now: now)
        await expectError(.configuration) {
            try await system.store.bind([try renamed.makeClient().configuration], at: system.now)
        }
        try await system.store.bind(system.domain.providers.configurations, at: system.now)
        #expect(try await system.count("providers") == 2)
        let twin = TestOpenIDProvider("twin", issuer: "https://example.example.com", now: now)
        #expect(throws: AccountError(.configuration, "")) {
            try Providers([system.providers[0].makeClient(), twin.makeClient()])
        }
        for id in Providers.reservedIDs.subtracting(["apple"]) {
            #expect(throws: AccountError(.configuration, "")) {
                try Providers([TestOpenIDProvider(id, now: now).makeClient()])
            }
        }
    }
}
