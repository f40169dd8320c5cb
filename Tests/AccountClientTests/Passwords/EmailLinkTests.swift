import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("Links from mails", .timeLimit(.minutes(2)))
struct EmailLinkTests {
    private let device = TestDevice()
    private static let secret = "0123456789abcdefghijkl_MNOPQR-STUVWXYZ012345"

    private var link: EmailLink {
        get throws { try #require(EmailLink("https://accounts.example.com/email-links/\(Self.secret)")) }
    }

    @Test(
        "The whole link, its URL and its last part are the same link",
        arguments: [
            "https://accounts.example.com/email-links/\(secret)", "  \(secret)\n",
            "https://accounts.example.com/at/a/path/email-links/\(secret)",
        ])
    func spellings(text: String) throws {
        #expect(EmailLink(text) == (try link))
        if let url = URL(string: text), url.scheme != nil { #expect(EmailLink(url) == (try link)) }
    }

    @Test(
        "A text that isn't a link is refused",
        arguments: ["", "short", "https://accounts.example.com/contact/\(secret)", "../../\(secret)", "a b \(secret)"])
    func none(text: String) {
        #expect(EmailLink(text) == nil)
    }

    @Test("A link shows its secret to nobody")
    func secrecy() throws {
        let link = try link
        #expect(!"\(link)".contains(Self.secret))
        var dumped = ""
        dump(link, to: &dumped)
        #expect(!dumped.contains(Self.secret))
    }

    @Test("Asking what a link does needs no session")
    func details() async throws {
        let details = try await device.client().details(of: link)
        #expect(details.purpose == .signIn && details.needsEmail)
        #expect(details.expiresAt == Date(timeIntervalSince1970: 1_700_000_900))
        let call = try #require(device.service.requests("POST /v1/email-links").first)
        #expect(call.json["link"] as? String == Self.secret)
        #expect(call.headers["Authorization"] == nil)
    }

    @Test("A link that signs in is asked for by its address, and finished with it")
    func signIn() async throws {
        let client = try device.client()
        try await client.requestSignInLink(email: TestDevice.email)
        #expect(device.service.requests("POST /v1/sign-in/link").first?.json["email"] as? String == TestDevice.email)
        let account = try await client.finishSignIn(link: link, email: TestDevice.email)
        let call = try #require(device.service.requests("POST /v1/sign-in/link/finish").first)
        #expect(call.json["link"] as? String == Self.secret)
        #expect(call.json["email"] as? String == TestDevice.email)
        #expect(await client.account == account)
    }

    @Test("A sign-up ends with its password once more, or with another")
    func signUp() async throws {
        let client = try device.client()
        try await client.finishSignUp(link: link, password: TestDevice.password)
        try await client.finishSignUp(link: link, newPassword: "another of many words", email: TestDevice.email)
        let calls = device.service.requests("POST /v1/sign-up/finish").map(\.json)
        #expect(calls.map { $0["password"] as? String } == [TestDevice.password, nil])
        #expect(calls.map { $0["newPassword"] as? String } == [nil, "another of many words"])
        #expect(calls.map { $0["email"] as? String } == [nil, TestDevice.email])
        #expect(await client.account?.id == "acc_1")
    }

    @Test("A reset sets the password, and signs nobody in")
    func reset() async throws {
        let client = try device.client()
        try await client.finishReset(link: link, newPassword: "another of many words")
        let call = try #require(device.service.requests("POST /v1/password/reset").first)
        #expect(call.json["password"] as? String == "another of many words")
        #expect(await client.account == nil)
    }

    @Test(
        "A link that is used up, or whose address is missing, says so",
        arguments: [ErrorCode.linkUnknown, .emailNeeded])
    func refused(code: ErrorCode) async throws {
        let client = try device.client()
        device.service.on("POST /v1/sign-in/link/finish", .refusal(code == .linkUnknown ? 404 : 409, code))
        let link = try link
        let error = await failure { try await client.finishSignIn(link: link, email: nil) }
        #expect(error?.code == .refused(code))
        #expect(error?.hint != nil)
    }

    @Test("A link that is used after a lost answer has most likely worked, and the hint says so")
    func lost() async throws {
        let client = try device.client()
        let link = try link
        func lose(_ path: String) { device.service.on("POST \(path)", .lost, .refusal(404, .linkUnknown)) }
        var errors: [AccountClientError?] = []
        lose("/v1/sign-up/finish")
        errors.append(await failure { try await client.finishSignUp(link: link, password: TestDevice.password) })
        lose("/v1/sign-up/finish")
        errors.append(
            await failure {
                try await client.finishSignUp(link: link, newPassword: TestDevice.password, email: TestDevice.email)
            })
        lose("/v1/sign-in/link/finish")
        errors.append(await failure { try await client.finishSignIn(link: link, email: TestDevice.email) })
        lose("/v1/password/reset")
        errors.append(await failure { try await client.finishReset(link: link, newPassword: TestDevice.password) })
        for error in errors {
            #expect(error?.code == .refused(.linkUnknown))
            #expect(error?.hint?.contains("worked") == true)
        }
    }

    @Test("A link that is used without a lost answer was used by somebody else, or is too old")
    func used() async throws {
        let client = try device.client()
        let link = try link
        device.service.on("POST /v1/password/reset", .unreachable(.cannotConnectToHost), .refusal(404, .linkUnknown))
        let error = await failure { try await client.finishReset(link: link, newPassword: TestDevice.password) }
        #expect(error?.code == .refused(.linkUnknown))
        #expect(error?.hint?.contains("another one") == true)
    }
}
