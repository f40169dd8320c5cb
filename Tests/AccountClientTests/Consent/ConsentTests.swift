import AccountAPI
import AccountClient
import Foundation
import TaskSignals
import Testing

@Suite("Consent", .timeLimit(.minutes(2)))
struct ConsentTests {
    private let device = TestDevice()
    private let update = ProfileUpdate(phone: .set("+493012345678"))

    private var changes: [ServiceRequest] { device.service.requests("PATCH /v1/account") }

    /// The questions that a person was asked. They agree to all but those in `refused`.
    private final class Person: Sendable {
        private let asked = Lock<[ConsentQuestion]>([])
        private let refused: Set<String>

        init(refusing refused: String...) {
            self.refused = Set(refused)
        }

        var questions: [ConsentQuestion] { asked.withLock { $0 } }

        var prompt: ConsentPrompt {
            { question in
                self.asked.withLock { $0.append(question) }
                return !self.refused.contains(question.textVersion)
            }
        }
    }

    @Test("The person reads the text that the service wants, and the request is repeated with their consent")
    func agrees() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        let person = Person()
        let account = try await client.updateProfile(update, consent: person.prompt)
        #expect(account.phone == "+493012345678")
        let question = ConsentQuestion(purposes: [.phone], text: "Text 1", language: "de", textVersion: "1")
        #expect(person.questions == [question])
        #expect(changes.map { $0.json["consent"] as? [String: String] } == [nil, ["textVersion": "1"]])
        #expect(changes.allSatisfy { $0.json["phone"] as? String == "+493012345678" })
    }

    @Test("The request for the text has the person's languages, and no access token")
    func language() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        try await client.updateProfile(update, consent: Person().prompt)
        let request = try #require(device.service.requests("GET /v1/consent-texts/1").first)
        #expect(request.headers["Accept-Language"] == "de-AT, de;q=0.9, en;q=0.8")
        #expect(request.headers["Authorization"] == nil)
    }

    @Test("A person who doesn't agree changes nothing")
    func refuses() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        let error = await failure {
            try await client.updateProfile(update, consent: Person(refusing: "1").prompt)
        }
        #expect(error?.code == .cancelled)
        #expect(changes.count == 1)
        #expect(await client.account?.phone == nil)
    }

    @Test("Without a way to ask, the service's refusal is the error, with a hint")
    func noPrompt() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        let error = await failure { try await client.updateProfile(update) }
        #expect(error?.code == .refused(.consentRequired))
        #expect(error?.hint?.contains("consent") == true)
        #expect(device.service.requests("GET /v1/consent-texts/1").isEmpty)
    }

    @Test("Where no consent is needed, nobody is asked")
    func notNeeded() async throws {
        let client = try await device.signedInClient()
        let person = Person()
        try await client.updateProfile(update, consent: person.prompt)
        #expect(person.questions.isEmpty)
    }

    @Test("If the text has changed meanwhile, the person is asked again, and consents to the latest version")
    func newVersion() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1", "2", "3")
        let person = Person()
        try await client.updateProfile(update, consent: person.prompt)
        #expect(person.questions.map(\.textVersion) == ["1", "2", "3"])
        #expect(changes.count == 4)
    }

    @Test("A text that changes all the time is asked about three times")
    func endless() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1", "2", "3", "4", "5")
        let person = Person()
        let error = await failure { try await client.updateProfile(update, consent: person.prompt) }
        #expect(error?.code == .refused(.consentRequired))
        #expect(person.questions.count == 3)
    }

    @Test("If the service asks again for a consent that it just received, the client gives up")
    func sameAgain() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        device.service.on("PATCH /v1/account") { _ in try .consentRequired([.phone], textVersion: "1") }
        let person = Person()
        let error = await failure { try await client.updateProfile(update, consent: person.prompt) }
        #expect(error?.code == .refused(.consentRequired))
        #expect(person.questions.count == 1)
    }

    @Test("If the text was replaced before it was read, the person reads the current one")
    func replaced() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1", "2")
        device.service.on("GET /v1/consent-texts/1", .refusal(404, .consentTextUnknown))
        device.service.on("GET /v1/consent-texts/current") { _ in
            try .json(200, ConsentTextAnswer(version: "2", language: "en", text: "Text 2"))
        }
        let person = Person()
        try await client.updateProfile(update, consent: person.prompt)
        #expect(person.questions.map(\.textVersion) == ["2"])
    }

    @Test("A text of another version than the one requested isn't shown")
    func wrongText() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        device.service.on("GET /v1/consent-texts/1") { _ in
            try .json(200, ConsentTextAnswer(version: "2", language: "en", text: "Text 2"))
        }
        let person = Person()
        let error = await failure { try await client.updateProfile(update, consent: person.prompt) }
        #expect(error?.code == .invalidResponse)
        #expect(person.questions.isEmpty)
    }

    @Test("If the text can't be fetched, the error says that the service is unavailable")
    func noText() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        device.service.on("GET /v1/consent-texts/1", .refusal(503, .unavailable))
        let error = await failure { try await client.updateProfile(update, consent: Person().prompt) }
        #expect(error?.code == .backendUnavailable)
        #expect(changes.count == 1)
    }

    @Test("A task that is cancelled during the question changes nothing, whatever the person answers")
    func leaves() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        let task = Task { [update] in
            await failure {
                try await client.updateProfile(update) { _ in
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    return true
                }
            }
        }
        #expect(await task.value?.code == .cancelled)
        #expect(changes.count == 1)
    }

    @Test("When somebody else signs in while the person is asked, nothing is changed for them")
    func somebodyElse() async throws {
        let client = try await device.signedInClient()
        device.service.requireConsent([.phone], to: "1")
        let error = await failure {
            try await client.updateProfile(update) { [device] _ in
                device.service.account.id = "acc_2"
                return await failure { try await client.signIn(with: TestDevice.credential(user: "002000.bbbb")) }
                    == nil
            }
        }
        #expect(error?.code == .cancelled)
        #expect(changes.count == 1)
        #expect(await client.account?.id == "acc_2")
    }

    // MARK: The list

    private static func consent(_ id: String, withdrawn: Bool = false) -> ConsentBody {
        let time = APITime(secondsSince1970: 1_700_000_000)
        return ConsentBody(
            id: id, purpose: withdrawn ? .contactEmail : .phone, textVersion: "1", givenAt: time,
            withdrawnAt: withdrawn ? time : nil, clientID: "com.example.app", device: "A device")
    }

    private func offer(_ consents: ConsentBody...) {
        device.service.on("GET /v1/consents") { _ in try .json(200, ConsentListAnswer(consents: consents)) }
    }

    @Test("Consents are listed with those that were withdrawn")
    func list() async throws {
        let client = try await device.signedInClient()
        offer(Self.consent("con_2"), Self.consent("con_1", withdrawn: true))
        let consents = try await client.consents()
        #expect(consents.map(\.id) == ["con_2", "con_1"])
        #expect(consents.map(\.purpose) == [.phone, .contactEmail])
        #expect(consents.map(\.withdrawnAt) == [nil, Date(timeIntervalSince1970: 1_700_000_000)])
        #expect(consents.first?.deviceName == "A device" && consents.first?.clientID == "com.example.app")
    }

    @Test("A consent is withdrawn with what it allowed")
    func withdraw() async throws {
        device.service.account.phone = "+493012345678"
        let client = try await device.signedInClient()
        offer(Self.consent("con_1"))
        device.service.on("DELETE /v1/consents/con_1", .unreachable(.networkConnectionLost), .withoutPhone)
        let outcome = try await client.withdrawConsent(try #require(try await client.consents().first))
        #expect(
            outcome.account.phone == nil && outcome.unlinked.isEmpty && outcome.kept.isEmpty && !outcome.isSignedOut)
        #expect(await client.account == outcome.account)
    }

    @Test("A consent that was withdrawn meanwhile is no error, and the account is asked for")
    func withdrawnMeanwhile() async throws {
        let client = try await device.signedInClient()
        offer(Self.consent("con_1"))
        device.service.on("DELETE /v1/consents/con_1", .lost, .refusal(404, .consentUnknown))
        try await client.withdrawConsent(try #require(try await client.consents().first))
        #expect(device.service.requests("GET /v1/account").count == 1)
    }

    @Test("The text of a consent can be read again, unless the service has it no more", arguments: [true, false])
    func text(isThere: Bool) async throws {
        let client = try await device.signedInClient()
        offer(Self.consent("con_1"))
        device.service.on("GET /v1/consent-texts/1") { _ in
            isThere
                ? try .json(200, ConsentTextAnswer(version: "1", language: "de", text: "Text 1"))
                : try .refusal(404, .consentTextUnknown)
        }
        let consent = try #require(try await client.consents().first)
        if isThere {
            let text = try await client.consentText(of: consent)
            #expect(text.text == "Text 1" && text.version == "1" && text.language == "de")
        } else {
            #expect(
                await failure { try await client.consentText(of: consent) }?.code == .refused(.consentTextUnknown))
        }
    }

    @Test("Without a session, listing consents fails with notSignedIn")
    func nobody() async throws {
        let client = try device.client()
        #expect(await failure { try await client.consents() }?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }
}

extension Reply {
    /// The account without its number.
    fileprivate static let withoutPhone = Self { service, _ in
        service.account.phone = nil
        return try .json(
            200,
            ConsentWithdrawalAnswer(
                account: service.account, unlinked: [], kept: [], endsSession: false, manualRemoval: nil))
    }
}
