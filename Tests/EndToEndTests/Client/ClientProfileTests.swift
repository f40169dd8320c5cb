import AccountAPI
import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import TaskSignals
import Testing

@Suite("A client that changes the profile", .eachEngine, .timeLimit(.minutes(2)))
struct ClientProfileTests {
    private static let phone = "+493012345678"

    @Test("a name that the person types stays, whatever Apple says later", arguments: ClientSystem.Way.allCases)
    func name(_ way: ClientSystem.Way) async throws {
        try await ClientSystem.run(way) { street in
            let client = street.client()
            _ = try await client.signIn()
            let name = PersonNameComponents(givenName: "Quincy", familyName: "Pomes")
            let account = try await client.updateProfile(ToldUpdate(name: .set(name)))
            #expect(account.name?.givenName == "Quincy" && account.formattedName == "Quincy Pomes")
            let other = street.client(storage: MemoryStorage())
            #expect(try await other.signIn().formattedName == "Quincy Pomes")
            #expect(try await client.updateProfile(ToldUpdate(name: .remove)).name == nil)
            #expect(try await other.signIn().name == nil)
        }
    }

    @Test("a person who shows their address isn't asked for consent, and another device is told of the change")
    func hidesNothing() async throws {
        try await ClientSystem.run(.sockets) { street in
            let client = street.client()
            let other = street.client(storage: MemoryStorage())
            _ = try await client.signIn()
            _ = try await other.signIn()
            let told = Task {
                for try await event in other.events() where event.kind == .profileChanged { return event.reason }
                return nil
            }
            await street.network.opened("/v1/account/events")
            let account = try await client.updateProfile(ToldUpdate(phone: .set(Self.phone))) { _ in
                Issue.record("nobody needs to be asked")
                return true
            }
            #expect(account.phone == Self.phone)
            #expect(try await told.value == "phone")
            #expect(await other.account?.phone == Self.phone)
            #expect(try await client.consents().isEmpty)
        }
    }

    @Test(
        "a person who hides their address reads the text, agrees, and withdraws", arguments: ClientSystem.Way.allCases)
    func consent(_ way: ClientSystem.Way) async throws {
        try await ClientSystem.run(way) { street in
            street.browser.change { $0.hidesEmail = true }
            let client = street.client(deviceName: "Laptop")
            #expect(try await client.signIn().isPrivateEmail)
            let update = ToldUpdate(phone: .set(Self.phone))
            let refusal = await #expect(throws: AccountClientError.self) { try await client.updateProfile(update) }
            #expect(refusal?.code == .refused(.consentRequired))
            let questions = Lock<[ConsentQuestion]>([])
            let declined = await #expect(throws: AccountClientError.self) {
                try await client.updateProfile(update) { _ in false }
            }
            #expect(declined?.code == .cancelled)
            #expect(try await client.consents().isEmpty)
            let account = try await client.updateProfile(update) { question in
                questions.withLock { $0.append(question) }
                return true
            }
            #expect(account.phone == Self.phone)
            let question = try #require(questions.withLock { $0 }.first)
            #expect(question.purposes == [.phone] && question.textVersion == "2" && !question.text.isEmpty)

            let consent = try #require(try await client.consents().first)
            #expect(consent.purpose == .phone && consent.textVersion == "2" && consent.deviceName == "Laptop")
            #expect(consent.givenAt == street.system.clock.now && consent.withdrawnAt == nil)
            #expect(try await client.consentText(of: consent).text == question.text)

            // A second number needs no second consent.
            try await client.updateProfile(ToldUpdate(phone: .set("+493011111111")))
            #expect(try await client.withdrawConsent(consent).account.phone == nil)
            #expect(try await client.consents().map(\.withdrawnAt) == [street.system.clock.now])
            // Nothing is left to withdraw, and that is no error.
            try await client.withdrawConsent(consent)
        }
    }

    @Test("the export has the profile and the consents")
    func export() async throws {
        try await ClientSystem.run { street in
            street.browser.change { $0.hidesEmail = true }
            let client = street.client()
            _ = try await client.signIn()
            try await client.updateProfile(ToldUpdate(phone: .set(Self.phone))) { _ in true }
            let export = String(decoding: try await client.exportAccount(), as: UTF8.self)
            let consent = try #require(try await client.consents().first)
            #expect(export.contains(Self.phone) && export.contains(consent.id))
        }
    }

    @Test(
        "a change whose answer is lost is made, one whose request is lost isn't, and both report an outage",
        arguments: [true, false])
    func lost(isAnswer: Bool) async throws {
        try await ClientSystem.run { street in
            let client = street.impatientClient()
            _ = try await client.signIn()
            let update = ToldUpdate(phone: .set(Self.phone))
            if isAnswer {
                street.network.loseAnswers(from: "/v1/account")
            } else {
                street.network.loseRequests(to: "/v1/account")
            }
            let error = await #expect(throws: AccountClientError.self) { try await client.updateProfile(update) }
            #expect(error?.code == .backendUnavailable)
            street.network.comeBack()
            #expect(try await client.reloadAccount().phone == (isAnswer ? Self.phone : nil))
        }
    }

    @Test(
        "a value that the service refuses changes nothing",
        arguments: [
            (ToldUpdate(phone: .set("030 1234")), "phone"), (ToldUpdate(phone: .set("")), "phone"),
        ])
    func invalid(update: ToldUpdate, field: String) async throws {
        try await ClientSystem.run { street in
            let client = street.client()
            _ = try await client.signIn()
            let error = await #expect(throws: AccountClientError.self) { try await client.updateProfile(update) }
            #expect(error?.code == .refused(.invalidRequest))
            #expect(error?.hint?.contains(field) == true)
            #expect(try await client.reloadAccount().phone == nil)
        }
    }

    @Test("a contact address counts after its link was opened, and every device is told")
    func contactAddress() async throws {
        let mailbox = KeptMail()
        try await ClientSystem.run(.sockets, mail: mailbox) { street in
            let client = street.client()
            _ = try await client.signIn()
            let told = Task {
                for try await event in client.events() where event.kind == .profileChanged { return event.reason }
                return nil
            }
            await street.network.opened("/v1/account/events")
            let address = "johnny@home.example"
            let asked = try await client.updateProfile(ToldUpdate(contactEmail: .set(address)))
            #expect(asked.contactEmail == nil && asked.pendingContactEmail == address)

            try await street.system.domain.mailDelivery.drain()
            let link = try #require(mailbox.links(of: .verifyAddress).last)
            let cookie = try await street.system.browse().sessionCookie
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let confirmed = try await street.service.execute(
                uri: link, method: .post,
                headers: [
                    .cookie: "__Host-siwa-session=\(cookie)", .contentType: "application/x-www-form-urlencoded",
                    site: "same-origin",
                ], body: nil)
            #expect(confirmed.status == .seeOther)
            #expect(try await told.value == "contact_email")
            #expect(await client.account?.contactEmail == address)
            #expect(await client.account?.pendingContactEmail == nil)
            #expect(try await client.updateProfile(ToldUpdate(contactEmail: .remove)).contactEmail == nil)
        }
    }

    @Test("an address whose answer was lost gets one mail")
    func oneMail() async throws {
        let mailbox = KeptMail()
        try await ClientSystem.run(mail: mailbox) { street in
            let client = street.client()
            _ = try await client.signIn()
            street.network.loseNextAnswer(from: "/v1/account")
            let account = try await client.updateProfile(ToldUpdate(contactEmail: .set("johnny@home.example")))
            #expect(account.pendingContactEmail == "johnny@home.example")
            try await street.system.domain.mailDelivery.drain()
            #expect(mailbox.links(of: .verifyAddress).count == 1)
        }
    }

    @Test("without mail, no contact address can be given")
    func noMail() async throws {
        try await ClientSystem.run { street in
            let client = street.client()
            _ = try await client.signIn()
            let error = await #expect(throws: AccountClientError.self) {
                try await client.updateProfile(ToldUpdate(contactEmail: .set("johnny@home.example")))
            }
            #expect(error?.code == .refused(.mailNotConfigured))
        }
    }
}
