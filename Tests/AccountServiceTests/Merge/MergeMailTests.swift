import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The mails of a merge", .eachEngine)
struct MergeMailTests {
    /// Gives the account of a session another contact address.
    private func set(_ address: String, in session: StoredSession, _ system: PasswordSystem) async throws {
        let profiles = system.domain.profiles
        system.clock.advance(by: .seconds(1))
        _ = try await profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress(address))), in: session, from: PasswordSystem.caller)
        let link = try #require(try await system.mails(.verifyAddress, to: address).last?.secret)
        _ = try await profiles.confirmContact(link, in: session, from: PasswordSystem.caller)
        system.clock.advance(by: .seconds(1))
    }

    /// The link in the last mail to an address that takes a change of the contact address back.
    private func takeBackLink(to address: String?, _ system: PasswordSystem) async throws -> LinkSecret {
        let address = try #require(address)
        return try #require(try await system.mails(.addressChanged, to: address).last?.secret)
    }

    private func contact(of session: StoredSession, _ system: PasswordSystem) async throws -> String? {
        try #require(try await system.store.account(session.account.id)).contactEmail
    }

    @Test(
        "A contact address that comes by a merge can be taken back by the address that got the mails before",
        arguments: [false, true])
    func contactAddress(isRemoved: Bool) async throws {
        let system = try await PasswordSystem()
        let profiles = system.domain.profiles
        let owner = try await system.makeAccount()
        let thief = try await system.session(of: system.signInWithApple())
        try await set("first@example.net", in: thief, system)
        if isRemoved {
            // A link that moves could bring an address without the merge's doing.
            _ = try await profiles.update(
                ProfileUpdate(contactEmail: .remove), in: thief, from: PasswordSystem.caller)
            system.clock.advance(by: .seconds(1))
        } else {
            try await set("second@example.net", in: thief, system)
        }
        let address = isRemoved ? nil : "second@example.net"
        let oldest = try await takeBackLink(to: thief.account.email, system)
        let second = try await takeBackLink(to: "first@example.net", system)
        let mergedAt = try await system.merge(into: owner).mergedAt
        #expect(try await contact(of: owner, system) == address)
        let told = try await system.mails(.addressChanged, to: PasswordSystem.address)
        #expect(told.map { $0.values["address"] } == [address])
        let link = try await takeBackLink(to: PasswordSystem.address, system)
        let shown = try await profiles.contactChange(link)
        #expect(shown.formerAddress == nil && shown.changedAt == mergedAt && shown.askedAt == mergedAt)

        // Neither a link of the merged account nor a later change makes the owner's link useless.
        system.clock.advance(by: .seconds(1))
        try await profiles.takeBack(second, from: .unknown)
        #expect(try await contact(of: owner, system) == "first@example.net")
        try await set("third@example.net", in: owner, system)
        let later = try await takeBackLink(to: "first@example.net", system)
        try await profiles.takeBack(link, from: .unknown)
        #expect(try await contact(of: owner, system) == nil)
        #expect(try await system.end(of: owner) == .contactEmailTakenBack)
        for secret in [oldest, later] {
            await expectError(.linkUnknown) { _ = try await profiles.contactChange(secret) }
        }
    }

    @Test("Each merge is told at once, also the second one of a day")
    func twoMerges() async throws {
        let system = try await PasswordSystem()
        for person in ["johnny", "zoe"] { _ = try await system.signInWithApple(person) }
        let session = try await system.makeAccount("ann@example.com")
        for person in ["johnny", "zoe"] {
            try await system.merge(person, into: session)
            #expect(try await system.mails(.merged, to: "ann@example.com").count == 1)
            try await system.domain.mailDelivery.drain()
            #expect(try await system.mails(.merged).isEmpty)
            system.clock.advance(by: .seconds(60))
        }
    }

    @Test("A merge that brings no contact address sends no mail about one")
    func unchanged() async throws {
        let system = try await PasswordSystem()
        let from = try await system.session(of: system.signInWithApple())
        try await set("first@example.net", in: from, system)
        let into = try await system.makeAccount()
        try await set("contact@example.net", in: into, system)
        let before = try await system.mails(.addressChanged).count
        try await system.merge(into: into)
        #expect(try await contact(of: into, system) == "contact@example.net")
        // The mail of the merged account has gone with its link.
        #expect(try await system.mails(.addressChanged).count == before - 1)
    }

    @Test("The mails of the remaining account go where they went before, also if the merged account is older")
    func order() async throws {
        let system = try await PasswordSystem()
        let older = try await system.session(of: system.signInWithApple())
        system.clock.advance(by: .seconds(5))
        let session = try await system.makeAccount()
        system.clock.advance(by: .seconds(5))
        let mergedAt = try await system.merge(into: session).mergedAt
        let identities = try await system.links.list(in: session.session)
        #expect(identities.map(\.provider) == ["email", "apple"] && identities.last?.addedAt == mergedAt)
        try await system.signIn()
        #expect(try await system.mails(.newDevice).map(\.recipient) == [PasswordSystem.address])
        _ = try await system.links.remove(older.session.identityID, in: session, from: .unknown)
        #expect(try await system.mails(.unlinked).map(\.recipient) == [PasswordSystem.address])
    }
}
