import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Kinds of accounts")
struct AccountKindTests {
    private func user(_ answer: [String: any Sendable]) throws -> [String: any Sendable] {
        let text = try #require(answer["user"] as? String)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
    }

    @Test(
        "a person with several addresses shares one, and the app has that one from then on",
        arguments: [("share", "dafni@example.net"), ("share-2", "d@example.org"), ("share-3", "p@example.org")])
    func severalAddresses(_ word: String, _ address: String) async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        let sheet = try await emulator.sheet(id, "dafni")
        for choice in ["share", "share-2", "share-3", "hide"] { #expect(sheet.text.contains("value=\"\(choice)\"")) }
        let fields = try await emulator.decide(id, ["person": "dafni", "email": word]).hiddenFields
        #expect(try user(fields)["email"] as? String == address)
        #expect(try await ReceivedToken(fields["id_token"], from: emulator)["email"] == address)
        let later = try await emulator.authorize(["person": "dafni"])
        #expect(try await ReceivedToken(later["id_token"] as? String, from: emulator)["email"] == address)
        #expect(try await emulator.get("/emulator/grants").text.contains("\"email\":\"\(address)\""))
    }

    @Test("a control call chooses one of the person's addresses, and another address is refused")
    func addressByCall() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let order: [String: any Sendable] = ["person": "dafni", "clientID": "com.example.juice.web", "scope": "email"]
        for email in ["johnny@example.com", "", "D@example.org"] {
            let refused = try await emulator.order(order.merging(["email": email]) { $1 })
            #expect(refused.error == "invalid_request")
        }
        let both: [String: any Sendable] = ["email": "d@example.org", "hideEmail": true]
        #expect(try await emulator.order(order.merging(both) { $1 }).status == 400)
        let answer = try await emulator.authorize(["person": "dafni", "email": "d@example.org"])
        #expect(try user(answer)["email"] as? String == "d@example.org")
    }

    @Test(
        "a choice that the sheet does not offer is refused", arguments: ["share-2", "share-0", "HIDE", "x@example.org"])
    func unknownChoice(_ word: String) async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        let answer = try await emulator.decide(id, ["email": word])
        #expect(answer.status == 400)
        #expect(!answer.text.contains(word))
        #expect(try await emulator.decide(id, ["email": "hide"]).status == 200, "the sheet is still open")
    }

    @Test("a managed account has an organization and no relay address, and its address may be unverified")
    func managed() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        #expect(!(try await emulator.sheet(id, "ida").text.contains("value=\"hide\"")))
        #expect(try await emulator.decide(id, ["person": "ida", "email": "hide"]).status == 400)
        let fields = try await emulator.decide(id, ["person": "ida", "email": "share"]).hiddenFields
        let token = try await ReceivedToken(fields["id_token"], from: emulator)
        #expect(token["org_id"] == "school-1")
        #expect(token["email"] == "ida@school.example.edu")
        #expect(token.claims["email_verified"] as? Bool == false)
        #expect(token.claims["is_private_email"] == nil)
        let hidden = try await emulator.order([
            "person": "ian", "clientID": "com.example.juice.web", "hideEmail": true,
        ])
        #expect(hidden.error == "no_relay_address")
    }

    @Test("a managed account without an address shares no address")
    func managedWithoutAddress() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        let sheet = try await emulator.sheet(id, "ian")
        #expect(!sheet.text.contains("type=\"radio\""))
        #expect(sheet.text.contains("has given you none"))
        let fields = try await emulator.decide(id, ["person": "ian"]).hiddenFields
        #expect(try user(fields).keys.sorted() == ["name"])
        let token = try await ReceivedToken(fields["id_token"], from: emulator)
        #expect(token.claims["email"] == nil)
        #expect(token.claims["email_verified"] == nil)
    }

    @Test("an account without an address has no user field if only the address is asked for")
    func noEmptyUser() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        #expect(try await emulator.authorize(["person": "ian", "scope": "email"])["user"] == nil)
        let other = try await TestEmulator(portal: TestPortal.withAllKinds)
        let answer = try await other.authorize(["person": "ian"])
        #expect(try user(answer).keys.sorted() == ["name"])
    }

    @Test("an ordinary account has no organization, and its address is verified")
    func ordinary() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let answer = try await emulator.authorize(["person": "kim"])
        let token = try await ReceivedToken(answer["id_token"] as? String, from: emulator)
        #expect(token.claims["org_id"] == nil)
        #expect(token.claims["email_verified"] as? Bool == true)
    }

    @Test("an account without two-factor authentication can't sign in: the page says so and offers Cancel")
    func withoutTwoFactor() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        let page = try await emulator.sheet(id, "otto")
        #expect(page.status == 403)
        #expect(page.text.contains("two_factor_required"))
        #expect(page.text.contains("value=\"cancel\""))
        #expect(!page.text.contains("value=\"continue\""))
        #expect(try await emulator.decide(id, ["person": "otto"]).status == 400)
        #expect(try await emulator.decide(id, ["person": "johnny"]).status == 200)
        for native in [true, false] {
            let answer = try await emulator.order([
                "person": "otto", "clientID": native ? "com.example.juice" : "com.example.juice.web", "native": native,
            ])
            #expect(answer.error == "two_factor_required")
        }
    }

    @Test("a child's account signs in like any other, unless a quirk refuses children")
    func child() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        #expect(try await emulator.authorize(["person": "kim"])["code"] != nil)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["refuses-children"]])
        let id = try await emulator.begin()
        #expect(try await emulator.sheet(id, "kim").status == 403)
        #expect(try await emulator.decide(id, ["person": "kim"]).status == 400)
        #expect(try await emulator.decide(id).status == 200)
    }

    @Test(
        "a portal with impossible people is refused",
        arguments: [
            Portal.Person(id: "x", email: "", name: "X"),
            Portal.Person(id: "x", email: "x@example.org", name: "X", password: ""),
            Portal.Person(
                id: "x", email: "x@example.org", name: "X", otherEmails: (0..<21).map { "\($0)@example.org" }),
        ])
    func impossible(_ person: Portal.Person) async throws {
        var portal = TestPortal.portal
        portal.people.append(person)
        await #expect(throws: EmulatorError.self) { _ = try await TestEmulator(portal: portal) }
    }
}
