import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Two accounts with one address", .eachEngine)
struct TwoAccountsTests {
    /// The address at Apple of the emulator's first person.
    private func address(_ system: PasswordSystem) async throws -> String {
        let signIn = try await system.signInWithApple()
        let address = try #require(signIn.account.email)
        _ = try await system.domain.directory.delete(signIn.account.id)
        return address
    }

    @Test("A new account with Apple is not joined to the account of its address, whose owner gets one mail")
    func signUp() async throws {
        let system = try await PasswordSystem()
        let address = try await address(system)
        let before = try await system.makeAccount(address)
        let new = try await system.signInWithApple()
        #expect(new.isNewAccount && new.account.id != before.account.id)
        #expect(try await system.links.list(in: before.session).count == 1)
        let mails = try await system.mails(.twoAccounts)
        #expect(mails.map(\.recipient) == [address])
        #expect(mails[0].values == ["address": address, "link": "http://localhost:4000/account/links"])
        _ = try await system.signInWithApple()
        try await system.signIn(address)
        #expect(try await system.mails(.twoAccounts).count == 1)
        #expect(try await system.accountCount() == 2)
        #expect(try await system.count("account_pairs") == 1)
    }

    @Test("The address may have another spelling, and a hidden address matches nothing")
    func spelling() async throws {
        let system = try await PasswordSystem()
        let address = try await address(system)
        _ = try await system.makeAccount(address.uppercased())
        #expect(try await system.signInWithApple().isNewAccount)
        #expect(try await system.mails(.twoAccounts).map(\.recipient) == [address])
        _ = try await system.makeAccount("zoe.oezdemir@example.org")
        #expect(try await system.signInWithApple("zoe", hidesEmail: true).isNewAccount)
        #expect(try await system.mails(.twoAccounts).count == 1)
    }

    @Test("If a link brings the address of another account, both stay, and the owner of the address gets a mail")
    func link() async throws {
        let system = try await PasswordSystem()
        let address = try await address(system)
        let other = try await system.makeAccount(address)
        let session = try await system.session(of: system.signInWithApple("zoe"))
        try await system.link(session)
        #expect(try await system.mails(.twoAccounts).map(\.recipient) == [address])
        #expect(try await system.signIn(address).account.id == other.account.id)
        #expect(try await system.signInWithApple().account.id == session.account.id)
    }

    @Test("A contact address that is another account's address counts once it is confirmed")
    func contact() async throws {
        let system = try await PasswordSystem()
        _ = try await system.makeAccount()
        let session = try await system.session(of: system.signInWithApple())
        _ = try await system.domain.profiles.update(
            ProfileUpdate(contactEmail: .set(try EmailAddress(PasswordSystem.address, field: "contactEmail"))),
            in: session, from: .unknown)
        #expect(try await system.mails(.twoAccounts).isEmpty, "it is not proven yet")
        let secret = try #require(try await system.mails(.verifyAddress).last?.secret)
        _ = try await system.domain.profiles.confirmContact(secret, in: session, from: .unknown)
        #expect(try await system.mails(.twoAccounts).map(\.recipient) == [PasswordSystem.address])
    }

    @Test("A pair of accounts is removed with one of them, and the next account makes another pair")
    func deletion() async throws {
        let system = try await PasswordSystem()
        let address = try await address(system)
        _ = try await system.makeAccount(address)
        for count in 1...2 {
            let account = try await system.signInWithApple().account.id
            #expect(try await system.count("account_pairs") == 1)
            #expect(try await system.mails(.twoAccounts).count == 1, "\(count)")
            _ = try await system.domain.directory.delete(account)
            #expect(try await system.count("account_pairs") == 0)
        }
    }
}
