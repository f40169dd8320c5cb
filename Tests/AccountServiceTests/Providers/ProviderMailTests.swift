import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import OpenIDConnect
import Testing

@testable import AccountService

@Suite("Mails about a person at another provider", .eachEngine)
struct ProviderMailTests {
    private static let email = "ann@example.org"

    @Test(
        "A contact address gets a mail that names its account's provider, unless the account has an address",
        arguments: [true, false])
    func exists(hasAddress: Bool) async throws {
        let system = try await PasswordSystem.withProviders()
        let session =
            hasAddress
            ? try await system.makeAccount()
            : try await system.session(of: system.signInWithProvider(.init(email: nil)))
        if hasAddress { try await system.link(.init(email: nil), to: session) }
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(try EmailAddress(Self.email, field: "contactEmail"))), in: session,
            from: .unknown)
        let secret = try #require(try await system.mails(.verifyAddress).last?.secret)
        _ = try await system.domain.profiles.confirmContact(secret, in: session, from: .unknown)
        try await system.passwords.requestSignInLink(
            email: Self.email, browser: nil, returnPath: nil, from: .unknown)
        let values = try #require(try await system.mails(.accountExists).last?.values)
        #expect(values["way"] == (hasAddress ? "other" : "provider"))
        #expect(values["provider"] == (hasAddress ? nil : "Example"))
    }

    @Test("An address that is verified at a provider and in another account gets a mail about both, in either order")
    func twoAccounts() async throws {
        for isFirst in [true, false] {
            let system = try await PasswordSystem.withProviders()
            if isFirst { _ = try await system.signInWithProvider(.init(email: Self.email.uppercased())) }
            _ = try await system.makeAccount(Self.email)
            if !isFirst { try await system.signInWithProvider(.init(email: Self.email.uppercased())) }
            let mails = try await system.mails(.twoAccounts)
            #expect(mails.map { $0.recipient.lowercased() } == [Self.email], "\(isFirst)")
            #expect(try await system.accountCount() == 2)
            // A third account makes two more pairs, and one mail.
            try await system.signInWithProvider(.init(email: Self.email), at: 1)
            #expect(try await system.mails(.twoAccounts).count == 2)
            #expect(try await system.count("account_pairs") == 3)
        }
    }

    @Test("An address that the provider doesn't verify, or no longer verifies, gets no mail")
    func unverified() async throws {
        let system = try await PasswordSystem.withProviders()
        try await system.signInWithProvider(.init("person-1", email: Self.email, isEmailVerified: false))
        try await system.signInWithProvider(.init("person-2", email: Self.email))
        try await system.signInWithProvider(.init("person-2", email: Self.email, isEmailVerified: false))
        _ = try await system.makeAccount(Self.email)
        #expect(try await system.mails(.twoAccounts).isEmpty)
    }
}
