import AccountAPI
import AccountClient
import Foundation
import TaskSignals
import Testing

/// The snippets of Docs/client-profile.md, letter by letter, and what they do.
@Suite("The guide to profile and consent", .timeLimit(.minutes(2)))
struct ProfileGuideTests {
    private let device = TestDevice()

    // guide
    func save(phone: String, with client: AccountClient) async throws(AccountClientError) -> Account {
        try await client.updateProfile(ProfileUpdate(phone: .set(phone)))
    }
    // end

    // guide
    func save(
        contactEmail: String, with client: AccountClient, asking person: @escaping @Sendable (String) async -> Bool
    ) async throws(AccountClientError) -> Account {
        try await client.updateProfile(ProfileUpdate(contactEmail: .set(contactEmail))) { question in
            await person(question.text)
        }
    }
    // end

    // guide
    func withdrawPhone(with client: AccountClient) async throws(AccountClientError) {
        for consent in try await client.consents() where consent.purpose == .phone && consent.withdrawnAt == nil {
            try await client.withdrawConsent(consent)
        }
    }
    // end

    @Test("A number is saved without a question")
    func phone() async throws {
        let account = try await save(phone: "+493012345678", with: try await device.signedInClient())
        #expect(account.phone == "+493012345678")
    }

    @Test("A person is shown the text, and decides", arguments: [true, false])
    func consent(agrees: Bool) async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.contactEmail], to: "1")
        let shown = Lock<[String]>([])
        let error = await failure {
            try await save(contactEmail: "ada@home.example", with: client) { text in
                shown.withLock { $0.append(text) }
                return agrees
            }
        }
        #expect(shown.withLock { $0 } == ["Text 1"])
        #expect(error?.code == (agrees ? nil : .cancelled))
        #expect(await client.account?.pendingContactEmail == (agrees ? "ada@home.example" : nil))
    }

    @Test("Only consents to the number that hold are withdrawn")
    func withdraw() async throws {
        let client = try await device.signedInClient()
        let time = APITime(secondsSince1970: 1_700_000_000)
        let consents = [("con_3", "phone", nil), ("con_2", "contact_email", nil), ("con_1", "phone", time)].map {
            ConsentBody(
                id: $0, purpose: .init(rawValue: $1), textVersion: "1", givenAt: time, withdrawnAt: $2, clientID: "c",
                device: nil)
        }
        device.service.on("GET /v1/consents") { _ in try .json(200, ConsentListAnswer(consents: consents)) }
        device.service.on("DELETE /v1/consents/con_3") { [device] _ in
            try .json(
                200,
                ConsentWithdrawalAnswer(
                    account: device.service.account, unlinked: [], kept: [], endsSession: false, manualRemoval: nil))
        }
        try await withdrawPhone(with: client)
        #expect(device.service.requests.filter { $0.method == "DELETE" }.map(\.path) == ["/v1/consents/con_3"])
    }

    @Test("An app's own code can be given a question")
    func question() {
        // guide
        let question = ConsentQuestion(purposes: [.phone], text: "We call you.", language: "en", textVersion: "1")
        // end
        #expect(question.purposes == [.phone])
    }
}
