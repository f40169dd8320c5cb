import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import OpenIDConnect
import Testing

@testable import AccountService

extension PasswordSystem {
    /// A service with two OpenID Providers.
    static func withProviders() async throws -> Self { try await Self(providers: ["example", "other"]) }

    /// The credential of an app, with a nonce that the app has made.
    func providerCredential(
        _ person: TestOpenIDProvider.Person = .init(), at index: Int = 0, nonce: String? = nil
    ) throws -> ProviderSignIn {
        let provider = providers[index]
        let raw = nonce ?? Base64URL.text(clock.appleIDEnvironment.randomBytes(32))
        let isChallenge = raw.hasPrefix("c1.")
        return ProviderSignIn(
            provider: provider.id, identityToken: try provider.token(person, nonce: isChallenge ? raw : raw.sha256),
            nonce: raw)
    }

    @discardableResult
    func signInWithProvider(
        _ person: TestOpenIDProvider.Person = .init(), at index: Int = 0
    ) async throws -> TokenSignIn {
        try await domain.signIn.native(providerCredential(person, at: index), from: Self.caller)
    }

    /// The credential for a purpose that needs a challenge of a session.
    func providerCredential(
        _ person: TestOpenIDProvider.Person, at index: Int = 0, for purpose: Challenge.Purpose,
        in session: StoredSession
    ) throws -> ProviderSignIn {
        clock.advance(by: .seconds(1))
        let challenge = try domain.challenges.make(for: purpose, session: session.session.id)
        return try providerCredential(person, at: index, nonce: challenge.nonce)
    }

    /// Links a person's identity at a provider to a session's account.
    @discardableResult
    func link(
        _ person: TestOpenIDProvider.Person, at index: Int = 0, to session: StoredSession, consent: String? = nil
    ) async throws -> [LinkedIdentity] {
        try await links.link(
            in: session, with: providerCredential(person, at: index, for: .link, in: session),
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: Self.caller)
    }
}

/// Expects an error of the provider's library.
func expectProviderError(
    _ code: OpenIDConnectError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Void
) async {
    let error = await #expect(throws: OpenIDConnectError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

@Suite("A sign-in with another provider", .eachEngine)
struct ProviderSignInTests {
    @Test("The first sign-in makes an account, and later ones open it")
    func signsIn() async throws {
        let system = try await PasswordSystem.withProviders()
        let first = try await system.signInWithProvider(.init(givenName: "Ann"))
        #expect(first.isNewAccount && first.account.email == "ann@example.org" && first.account.emailVerified)
        #expect(first.account.name?.givenName == "Ann" && !first.account.isPrivateEmail)
        let second = try await system.signInWithProvider(.init())
        #expect(!second.isNewAccount && second.account.id == first.account.id)
        let identities = try await system.store.linkedIdentities(of: first.account.id)
        #expect(identities.map(\.provider) == ["example"] && identities[0].team == nil)
        let kept = try await system.store.identities(of: first.account.id)
        #expect(kept[0].team == "https://example.example.com" && kept[0].subject == "person-1")
        #expect(kept[0].access.lastAuthorizedAt == nil, "that is for Apple alone")
        let session = try await system.session(of: second)
        #expect(session.session.clientID.rawValue == TestOpenIDProvider.app && session.session.hasNonceProof)
        #expect(
            try await system.domain.waysIn(thatOpened: session.session)
                == WaysIn(apple: false, providers: ["example"]))
    }

    @Test("An address alone identifies nobody, at another provider or with another subject")
    func addressesJoinNothing() async throws {
        let system = try await PasswordSystem.withProviders()
        let email = "ann@example.org"
        let byPassword = try await system.makeAccount(email)
        let accounts = [
            byPassword.account.id,
            try await system.signInWithProvider(.init("person-1", email: email)).account.id,
            // The address is somebody else's now, or the provider has given the person another subject.
            try await system.signInWithProvider(.init("person-2", email: email)).account.id,
            try await system.signInWithProvider(.init("person-1", email: email), at: 1).account.id,
        ]
        #expect(Set(accounts).count == 4)
        let again = try await system.signInWithProvider(.init("person-1", email: "moved@example.org"))
        #expect(again.account.id == accounts[1] && again.account.email == "moved@example.org")
        #expect(try await system.signInWithProvider(.init("person-2", email: email)).account.id == accounts[2])
    }

    @Test(
        "An unverified or malformed address is not kept",
        arguments: [("bob@example.org", false), ("bob smith@example.org", true), ("bob@example.org\r\nX", true)])
    func unverified(email: String, isVerified: Bool) async throws {
        let system = try await PasswordSystem.withProviders()
        let account = try await system.signInWithProvider(.init(email: email, isEmailVerified: isVerified)).account
        #expect(account.email == nil && !account.emailVerified)
        let verified = try await system.signInWithProvider(.init()).account
        #expect(verified.id == account.id && verified.email == "ann@example.org")
    }

    @Test("A name fills a gap and replaces no name")
    func name() async throws {
        let system = try await PasswordSystem.withProviders()
        #expect(try await system.signInWithProvider(.init()).account.name == nil)
        #expect(try await system.signInWithProvider(.init(givenName: "Ann")).account.name?.givenName == "Ann")
        #expect(try await system.signInWithProvider(.init(givenName: "Bea")).account.name?.givenName == "Ann")
    }

    @Test("Token and nonce are used once, and only for the provider that made the token")
    func once() async throws {
        let system = try await PasswordSystem.withProviders()
        let good = try system.providerCredential()
        var misled = good
        misled.provider = "other"
        await expectProviderError(.signatureInvalid) {
            _ = try await system.domain.signIn.native(misled, from: .unknown)
        }
        _ = try await system.domain.signIn.native(good, from: .unknown)
        await expectError(.alreadyUsed) { _ = try await system.domain.signIn.native(good, from: .unknown) }
        var unknown = try system.providerCredential()
        unknown.provider = "third"
        await expectError(.providerUnknown) { _ = try await system.domain.signIn.native(unknown, from: .unknown) }
        var other = try system.providerCredential()
        other.nonce = String(repeating: "n", count: 32)
        await expectProviderError(.nonceMismatch) {
            _ = try await system.domain.signIn.native(other, from: .unknown)
        }
        other.nonce = "short"
        await expectError(.nonceInvalid) { _ = try await system.domain.signIn.native(other, from: .unknown) }
        #expect(try await system.accountCount() == 1)
    }

    @Test("A token is accepted for ten minutes, and an outage of a provider is no refusal")
    func time() async throws {
        let system = try await PasswordSystem.withProviders()
        let old = try system.providerCredential()
        system.clock.advance(by: .seconds(600))
        await expectProviderError(.tokenTooOld) {
            _ = try await system.domain.signIn.native(old, from: .unknown)
        }
        let young = try system.providerCredential()
        system.clock.advance(by: .seconds(599))
        _ = try await system.domain.signIn.native(young, from: .unknown)
        system.providers[1].isDown = true
        await expectProviderError(.providerUnavailable) { try await system.signInWithProvider(.init(), at: 1) }
        system.providers[1].isDown = false
        // The provider is left alone for a moment after a failure.
        system.clock.advance(by: .minutes(1))
        try await system.signInWithProvider(.init(), at: 1)
    }

    @Test("A token is used once for as long as it is accepted, even if the provider's clock is a minute ahead")
    func onceAhead() async throws {
        let system = try await PasswordSystem.withProviders()
        system.clock.advance(by: .seconds(60))
        let ahead = try system.providerCredential()
        system.clock.advance(by: .seconds(-60))
        _ = try await system.domain.signIn.native(ahead, from: .unknown)
        system.clock.advance(by: .seconds(659))
        await expectError(.alreadyUsed) { _ = try await system.domain.signIn.native(ahead, from: .unknown) }
        for seconds in [1, 40, 19] as [Int64] {
            system.clock.advance(by: .seconds(seconds))
            await expectProviderError(.tokenTooOld) {
                _ = try await system.domain.signIn.native(ahead, from: .unknown)
            }
        }
    }

    @Test("An address that the provider no longer verifies is no longer kept, and gets no mail")
    func addressGone() async throws {
        let system = try await PasswordSystem.withProviders()
        let first = try await system.signInWithProvider()
        for person in [
            TestOpenIDProvider.Person(isEmailVerified: false),
            TestOpenIDProvider.Person(email: "bob@example.org", isEmailVerified: false),
            TestOpenIDProvider.Person(email: nil),
        ] {
            #expect(try await system.signInWithProvider().account.email == "ann@example.org")
            let later = try await system.signInWithProvider(person)
            #expect(later.account.id == first.account.id)
            #expect(later.account.email == nil && !later.account.emailVerified)
            let stored = try await system.store.read { try $0.mailRecipient(of: first.account.id) }
            #expect(stored == nil)
        }
    }

    @Test("A session can be renewed only by its own person, not by the same subject at another provider")
    func reauthentication() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.session(of: system.signInWithProvider(.init()))
        system.clock.advance(by: .minutes(6))
        func prove(_ person: TestOpenIDProvider.Person, at index: Int = 0) async throws {
            let credential = try system.providerCredential(person, at: index, for: .reauthenticate, in: session)
            _ = try await system.domain.reauthentications.reauthenticate(session, with: credential, from: .unknown)
        }
        await expectError(.credentialMismatch) { try await prove(.init("person-2")) }
        await expectError(.credentialMismatch) { try await prove(.init(), at: 1) }
        let apple = try domainChallenge(system, session)
        let byApple = try await system.credential(nonce: apple)
        await expectError(.credentialMismatch) {
            _ = try await system.domain.reauthentications.reauthenticate(session, with: byApple, from: .unknown)
        }
        let own = try system.providerCredential(nonce: String(repeating: "n", count: 32))
        await expectError(.challengeInvalid) {
            _ = try await system.domain.reauthentications.reauthenticate(session, with: own, from: .unknown)
        }
        try await prove(.init())
        let stored = try #require(try await system.store.session(session.session.id))
        #expect(stored.session.hasRecentSignIn(at: system.now))
    }

    private func domainChallenge(_ system: PasswordSystem, _ session: StoredSession) throws -> String {
        try system.domain.challenges.make(for: .reauthenticate, session: session.session.id).nonce
    }

    @Test("An account is deleted with its identity, without a request to Apple")
    func deletion() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.session(of: system.signInWithProvider(.init()))
        let receipt = try await system.domain.deletions.delete(accountOf: session)
        #expect(receipt.deletion.state == .done && !receipt.deletion.hasApple)
        #expect(try await system.count("identities") == 0)
        #expect(try await system.count("outbox") == 0)
        #expect(try await system.signInWithProvider(.init()).isNewAccount)
    }

    @Test("An export has the identity, without fields of Apple's")
    func export() async throws {
        let system = try await PasswordSystem.withProviders()
        let session = try await system.session(of: system.signInWithProvider(.init()))
        let (export, _, _) = try await system.domain.exports.export(session.account.id)
        #expect(export.identities.map(\.identity.provider.rawValue) == ["example"])
        #expect(export.identities[0].appleTokens.isEmpty)
    }
}
