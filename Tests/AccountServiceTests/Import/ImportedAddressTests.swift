import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Addresses that an import brings", .eachEngine)
struct ImportedAddressTests {
    @Test(
        "an Apple Account has a hidden address if the address is in a domain of Apple's private relay",
        arguments: [
            ("x7k2m9p4qa@privaterelay.appleid.com", true), ("x7k2m9p4qa@private.icloud.com", true),
            ("X7K2M9P4QA@Private.iCloud.com", true), ("johnny@icloud.com", false),
            ("johnny@notprivate.icloud.com", false), ("johnny@example.com", false),
        ])
    func hiddenAddress(address: String, isHidden: Bool) throws {
        let identity = try #require(ImportedIdentity.apple("s1", team: ImportTests.team, email: address))
        #expect(identity.email == address && identity.isPrivateEmail == isHidden)
    }

    @Test("another provider's identity is found by its address in another spelling")
    func otherProvider() async throws {
        let system = try await PasswordSystem()
        var person = ImportedPerson(line: 1, formerIDs: [FormerID(source: "firebase", id: "1")])
        person.identities = [
            try #require(
                .other(
                    "example", issuer: "https://example.com", subject: "ann", email: "Ann@Example.ORG",
                    emailVerified: true))
        ]
        try await ImportTests.take([person], in: system)
        let account = try #require(try await system.store.accounts(after: nil, limit: 2).first)
        let address = "ann@example.org"
        let form = try EmailForm(EmailAddress(address))
        let found = try await system.store.read { try $0.accountsOfProvidersOrContact(address, form) }
        #expect(found == [account.id])
    }
}
