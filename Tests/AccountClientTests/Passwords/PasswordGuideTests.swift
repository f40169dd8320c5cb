import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals
import Testing

/// The snippets of Docs/client-passwords.md, letter by letter, and what they do.
@Suite("The guide to passwords", .timeLimit(.minutes(2)))
struct PasswordGuideTests {
    private let device = TestDevice()

    // guide
    func signUp(email: String, password: String, with client: AccountClient) async -> String {
        do throws(AccountClientError) {
            try await client.signUp(email: email, password: password)
            return "We have sent you a mail. Open its link to complete your account."
        } catch {
            return error.passwordRefusal == nil ? error.reason : error.hint ?? error.reason
        }
    }
    // end

    // guide
    func open(_ url: URL, password: String, with client: AccountClient) async throws(AccountClientError) -> Account? {
        guard let link = EmailLink(url), try await client.details(of: link).purpose == .signUp else { return nil }
        return try await client.finishSignUp(link: link, password: password)
    }
    // end

    // guide
    func signIn(email: String, password: String, with client: AccountClient) async -> String? {
        do throws(AccountClientError) {
            try await client.signIn(email: email, password: password)
            return nil
        } catch let error where error.code == .refused(.wrongCredentials) {
            return "The email address or the password is wrong."
        } catch {
            return error.reason
        }
    }
    // end

    // guide
    func offer(
        with client: AccountClient, question: (String) async -> Bool
    ) async throws(AccountClientError) -> Account? {
        guard let saved = try await client.savedPassword(), await question(saved.email) else { return nil }
        return try await client.signIn(email: saved.email, password: saved.password)
    }
    // end

    // guide
    func upgrade(
        password: String, with client: AccountClient, asking person: @escaping @Sendable (String) async -> Bool
    ) async throws(AccountClientError) -> Account {
        try await client.upgradeToApple(password: password) { question in
            await person(question.text)
        }
    }
    // end

    @Test("A sign-up says that a mail is on its way, or which rule the password broke")
    func signUp() async throws {
        let client = try device.client()
        #expect(await signUp(email: TestDevice.email, password: TestDevice.password, with: client).contains("mail"))
        device.service.on("POST /v1/sign-up") { _ in try .passwordRefused(.tooShort) }
        #expect(await signUp(email: TestDevice.email, password: "p", with: client).contains("15"))
        device.service.on("POST /v1/sign-up", .unreachable(.notConnectedToInternet))
        #expect(await signUp(email: TestDevice.email, password: "p", with: client).contains("did not answer"))
    }

    @Test("A sign-up link is accepted, and a link with another purpose isn't", arguments: [true, false])
    func open(isSignUp: Bool) async throws {
        let client = try device.client()
        device.service.on("POST /v1/email-links") { _ in
            try .json(
                200,
                EmailLinkAnswer(
                    purpose: isSignUp ? .signUp : .reset, address: nil, expiresAt: APITime(secondsSince1970: 0),
                    needsEmail: false))
        }
        let secret = String(repeating: "a", count: 43)
        let url = try #require(URL(string: "https://accounts.example.com/email-links/\(secret)"))
        let account = try await open(url, password: TestDevice.password, with: client)
        #expect((account != nil) == isSignUp)
        let other = try #require(URL(string: "https://accounts.example.com/terms"))
        #expect(try await open(other, password: TestDevice.password, with: client) == nil)
    }

    @Test("A wrong password is distinguished from other failures")
    func signIn() async throws {
        let client = try device.client()
        #expect(await signIn(email: TestDevice.email, password: TestDevice.password, with: client) == nil)
        device.service.on("POST /v1/sign-in/password", .refusal(401, .wrongCredentials))
        #expect(await signIn(email: TestDevice.email, password: "p", with: client)?.contains("is wrong") == true)
        device.service.on("POST /v1/sign-in/password", .unreachable(.notConnectedToInternet))
        #expect(await signIn(email: TestDevice.email, password: "p", with: client)?.contains("answer") == true)
    }

    @Test("The saved password signs in if the person says so")
    func offer() async throws {
        let client = try device.client()
        #expect(try await offer(with: client) { _ in true } == nil)
        try await client.savePassword(SavedPassword(email: TestDevice.email, password: TestDevice.password))
        #expect(try await offer(with: client) { _ in false } == nil)
        #expect(try await offer(with: client) { $0 == TestDevice.email }?.id == "acc_1")
    }

    @Test("The upgrade shows the text that it needs consent to")
    func upgrade() async throws {
        let client = try await device.clientByPassword()
        device.service.on("GET /v1/consent-texts/1") { _ in
            try .json(200, ConsentTextAnswer(version: "1", language: "de", text: "Text 1"))
        }
        device.service.on("POST /v1/account/upgrade") { [service = device.service] request in
            guard request.json["consent"] is [String: Any] else {
                return try .consentRequired([.contactEmail], textVersion: "1")
            }
            return try service.upgrade()
        }
        let shown = Lock<[String]>([])
        let account = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await upgrade(password: TestDevice.password, with: client) { text in
                shown.withLock { $0.append(text) }
                return true
            }
        }
        #expect(account.user == TestDevice.user)
        #expect(shown.withLock { $0 } == ["Text 1"])
    }
}
