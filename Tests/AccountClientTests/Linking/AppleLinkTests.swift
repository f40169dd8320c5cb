import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Crypto
import Foundation
import TaskSignals
import Testing

@Suite("Linking an Apple Account", .timeLimit(.minutes(2)))
struct AppleLinkTests {
    private let device = TestDevice()

    private var requests: [ServiceRequest] { device.service.requests("POST /v1/link/apple") }

    /// Links with a person who signs in at Apple.
    private func link(
        _ client: AccountClient, promptingIfNeeded: Bool = true, consent: ConsentPrompt? = nil
    ) async throws -> [AccountIdentity] {
        let script = AuthorizationScript(TestDevice.appleAnswer())
        return try await withAuthorizationScript(script) {
            try await client.link(promptingIfNeeded: promptingIfNeeded, consent: consent)
        }
    }

    @Test("Apple is asked with a challenge of the session, and the account then has one more way in")
    func links() async throws {
        let client = try await device.clientBeforeLink()
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let links = try await withAuthorizationScript(script) { try await client.link() }
        #expect(links.map(\.provider) == [.email, .apple])
        #expect(links.map(\.isCurrent) == [true, false])
        #expect(device.service.requests("POST /v1/challenges").first?.json["purpose"] as? String == "link")
        let asked = try #require(script.requests.first)
        #expect(asked.requestedScopes == [.email])
        let hash = SHA256.hash(data: Data(TestService.challenge.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(asked.nonce == hash)
        let call = try #require(requests.first)
        #expect(call.json["nonce"] as? String == TestService.challenge)
        #expect(call.json["identityToken"] as? String == "identity-token")
        #expect(call.json["authorizationCode"] as? String == "apple-code")
        // The session stays as the password has opened it, and the account knows of Apple.
        #expect(await client.account?.waysIn?.apple == true)
        #expect(await client.account?.user == nil)
        #expect(try await client.accessToken() == "access-1.0")
    }

    @Test("The list has what the service told of each way in")
    func list() async throws {
        let client = try await device.clientBeforeLink()
        device.service.list(.email(current: true), .apple())
        let links = try await client.links()
        let (email, apple) = (try #require(links.first), try #require(links.last))
        #expect(email.id == "idn_email" && email.address == TestDevice.email && email.hasPassword && email.team == nil)
        #expect(apple.team == "ABCDE12345" && apple.isPrivateEmail && !apple.hasPassword && !apple.isCurrent)
        #expect(apple.addedAt == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test("A person who cancels at Apple keeps the ways in that they had")
    func cancelled() async throws {
        let client = try await device.clientBeforeLink()
        await withAuthorizationScript(AuthorizationScript(.cancel)) {
            #expect(await failure { try await client.link() }?.code == .cancelled)
        }
        #expect(requests.isEmpty)
        #expect(try await client.links().map(\.provider) == [.email])
    }

    @Test(
        "A refusal has the service's code and a hint, and leaves the session",
        arguments: [(401, ErrorCode.challengeInvalid), (401, .grantRejected), (409, .consentRequired)])
    func refused(status: Int, code: ErrorCode) async throws {
        let client = try await device.clientBeforeLink()
        device.service.on("POST /v1/link/apple", .refusal(status, code))
        let error = await failure { try await link(client) }
        #expect(error?.code == .refused(code))
        #expect(error?.hint != nil && error?.signInHandle == nil)
        #expect(requests.count == 1)
        #expect(await client.account?.waysIn?.apple == false)
    }

    @Test("An app's own controller gets a nonce for it, and a credential without one is not sent")
    func ownController() async throws {
        let client = try await device.clientBeforeLink()
        var credential = TestDevice.credential()
        credential.nonce = nil
        #expect(await failure { try await client.link(with: credential) }?.code == .notConfigured)
        #expect(requests.isEmpty)
        credential.nonce = try await client.linkNonce()
        #expect(try await client.link(with: credential).count == 2)
        #expect(requests.first?.json["nonce"] as? String == TestService.challenge)
    }

    @Test("Without a session, listing and linking fail with notSignedIn")
    func nobody() async throws {
        let client = try device.client()
        #expect(await failure { try await client.links() }?.code == .notSignedIn)
        #expect(await failure { try await link(client) }?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }

    // MARK: A recent sign-in

    @Test("A person who signs in with Apple proves that they are there, and the new credential is used again")
    func freshProof() async throws {
        let client = try await device.signedInClient()
        device.service.list(.apple(current: true))
        device.service.on("POST /v1/link/apple") { [service = device.service] request in
            guard request.headers["Authorization"] == "Bearer access-fresh" else {
                return try .refusal(403, .requiresRecentLogin)
            }
            return try service.added([.apple(current: true), .apple("idn_second")])
        }
        #expect(try await link(client).map(\.id) == ["idn_apple", "idn_second"])
        let purposes = device.service.requests("POST /v1/challenges").map { $0.json["purpose"] as? String }
        #expect(purposes == ["link", "reauthenticate"])
        #expect(requests.map { $0.json["nonce"] as? String } == [TestService.challenge, TestService.challenge])
    }

    @Test("An app that asks by itself gets the refusal, and so does a person without Apple", arguments: [true, false])
    func noProof(isByApple: Bool) async throws {
        let client = isByApple ? try await device.signedInClient() : try await device.clientBeforeLink()
        if isByApple { device.service.list(.apple(current: true)) }
        device.service.on("POST /v1/link/apple", .refusal(403, .requiresRecentLogin))
        let error = await failure { try await link(client, promptingIfNeeded: !isByApple) }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(device.service.requests("POST /v1/reauthenticate/apple").isEmpty)
    }

    // MARK: Consent

    @Test("Data that come together with a hidden address need consent, for which the same credential is good")
    func consent() async throws {
        let client = try await device.clientBeforeLink()
        requireConsent()
        let questions = Lock<[ConsentQuestion]>([])
        let links = try await link(client) { question in
            questions.withLock { $0.append(question) }
            return true
        }
        #expect(links.count == 2)
        #expect(
            questions.withLock { $0 } == [
                ConsentQuestion(purposes: [.contactEmail], text: "Text 7", language: "de", textVersion: "7")
            ])
        #expect(requests.map { $0.json["nonce"] as? String } == [TestService.challenge, TestService.challenge])
        #expect((requests.last?.json["consent"] as? [String: Any])?["textVersion"] as? String == "7")
    }

    @Test("A person who doesn't agree adds nothing; without a prompt, the link is refused", arguments: [true, false])
    func noConsent(isAsked: Bool) async throws {
        let client = try await device.clientBeforeLink()
        requireConsent()
        let no: ConsentPrompt = { _ in false }
        let error = await failure { try await link(client, consent: isAsked ? no : nil) }
        #expect(error?.code == (isAsked ? .cancelled : .refused(.consentRequired)))
        #expect(requests.count == 1)
        #expect(try await client.links().count == 1)
    }

    private func requireConsent() {
        device.service.on("GET /v1/consent-texts/7") { _ in
            try .json(200, ConsentTextAnswer(version: "7", language: "de", text: "Text 7"))
        }
        device.service.on("POST /v1/link/apple") { [service = device.service] request in
            let given = (request.json["consent"] as? [String: Any])?["textVersion"] as? String
            guard given == "7" else { return try .consentRequired([.contactEmail], textVersion: "7") }
            return try service.added([.email(current: true), .apple()])
        }
    }

    // MARK: Lost answers

    @Test("A link whose answer was lost is looked for before it is sent again")
    func lost() async throws {
        let client = try await device.clientBeforeLink()
        device.service.on("POST /v1/link/apple") { [service = device.service] _ in
            _ = try service.added([.email(current: true), .apple()])
            throw URLError(.networkConnectionLost)
        }
        #expect(try await link(client).map(\.id) == ["idn_email", "idn_apple"])
        #expect(requests.count == 1)
    }

    @Test("It is looked for also if the access token has expired meanwhile")
    func lostWithToken() async throws {
        let client = try await device.clientBeforeLink()
        let added = LinkListAnswer(links: [.email(current: true), .apple()])
        device.service.on("POST /v1/link/apple") { [service = device.service] _ in
            service.on(
                "GET /v1/links", .refusal(401, .accessTokenExpired), Reply { _, _ in try .json(200, added) })
            throw URLError(.networkConnectionLost)
        }
        #expect(try await link(client).map(\.id) == ["idn_email", "idn_apple"])
        #expect(requests.count == 1)
    }

    @Test("A link that has not arrived is sent again")
    func notArrived() async throws {
        let client = try await device.clientBeforeLink()
        let isFirst = Lock(true)
        device.service.on("POST /v1/link/apple") { [service = device.service] _ in
            if isFirst.withLock({ $0.take() }) { throw URLError(.networkConnectionLost) }
            return try service.added([.email(current: true), .apple()])
        }
        #expect(try await link(client).count == 2)
        #expect(requests.count == 2)
    }

    // MARK: The name

    @Test("An account without a name gets the one that Apple tells, once the link succeeds", arguments: [false, true])
    func name(failsFirst: Bool) async throws {
        let client = try await device.clientBeforeLink()
        device.service.account.name = nil
        _ = try await client.reloadAccount()
        let fails = Lock(failsFirst)
        device.service.on("POST /v1/link/apple") { [service = device.service] _ in
            if fails.withLock({ $0.take() }) { return try .refusal(401, .grantRejected) }
            return try service.added([.email(current: true), .apple()])
        }
        let script = AuthorizationScript(TestDevice.appleAnswer(fullName: ada), TestDevice.appleAnswer())
        try await withAuthorizationScript(script) {
            if failsFirst {
                #expect(await failure { try await client.link() } != nil)
                // Apple tells the name no more: storage has it.
                #expect(try device.stored?.contains("Lovelace") == true)
            }
            try await client.link()
        }
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
        let names = requests.map { ($0.json["fullName"] as? [String: Any])?["familyName"] as? String }
        #expect(names == (failsFirst ? ["Lovelace", "Lovelace"] : ["Lovelace"]))
        #expect(try device.stored?.contains("Lovelace") == false)
    }
}

extension Bool {
    /// Returns the value, and makes it false.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
