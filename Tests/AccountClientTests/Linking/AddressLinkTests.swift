import AccountAPI
import AccountClient
import Foundation
import TaskSignals
import Testing

@Suite("Linking an address and a password", .timeLimit(.minutes(2)))
struct AddressLinkTests {
    private let device = TestDevice()

    private var requests: [ServiceRequest] { device.service.requests("POST /v1/link/password") }

    private static func link() throws -> EmailLink {
        try #require(EmailLink(String(repeating: "b", count: 43)))
    }

    /// A client of a person who signs in with Apple and may add an address.
    private func client() async throws -> AccountClient {
        let client = try await device.signedInClient()
        device.service.list(.apple(current: true))
        device.service.on("POST /v1/link/password") { _ in try .json(202, AcceptedAnswer()) }
        device.service.link(by: "POST /v1/link/password/finish", .apple(current: true), .email())
        return client
    }

    @Test("A mail is asked for, and its link adds the address")
    func links() async throws {
        let client = try await client()
        try await client.link(email: TestDevice.email, password: TestDevice.password)
        let call = try #require(requests.first)
        #expect(call.json["email"] as? String == TestDevice.email)
        #expect(call.json["password"] as? String == TestDevice.password)
        #expect(call.headers["Accept-Language"] != nil)
        #expect(await client.account?.waysIn?.email == nil)
        let links = try await client.finishLink(try Self.link())
        #expect(links.map(\.provider) == [.apple, .email])
        #expect(await client.account?.waysIn?.email == TestDevice.email)
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test("An account that hides its address needs consent")
    func consent() async throws {
        let client = try await client()
        device.service.on("GET /v1/consent-texts/1") { _ in
            try .json(200, ConsentTextAnswer(version: "1", language: "de", text: "Text 1"))
        }
        device.service.on("POST /v1/link/password") { request in
            guard request.json["consent"] is [String: Any] else {
                return try .consentRequired([.contactEmail], textVersion: "1")
            }
            return try .json(202, AcceptedAnswer())
        }
        let refused = await failure {
            try await client.link(email: TestDevice.email, password: TestDevice.password) { _ in false }
        }
        #expect(refused?.code == .cancelled)
        let questions = Lock<[String]>([])
        try await client.link(email: TestDevice.email, password: TestDevice.password) { question in
            questions.withLock { $0.append(question.textVersion) }
            return true
        }
        #expect(questions.withLock { $0 } == ["1"])
        #expect(requests.count == 3)
    }

    @Test(
        "A refusal has the service's code and a hint",
        arguments: [(403, ErrorCode.requiresRecentLogin), (409, .alreadyLinked), (404, .passwordsOff)])
    func refused(status: Int, code: ErrorCode) async throws {
        let client = try await client()
        device.service.on("POST /v1/link/password", .refusal(status, code))
        let error = await failure {
            try await client.link(email: TestDevice.email, password: TestDevice.password)
        }
        #expect(error?.code == .refused(code) && error?.hint != nil)
        #expect(requests.count == 1)
    }

    @Test("A link of another session is unknown here, and nothing has changed")
    func otherSession() async throws {
        let client = try await client()
        device.service.on("POST /v1/link/password/finish", .refusal(404, .linkUnknown))
        let error = await failure { try await client.finishLink(try Self.link()) }
        #expect(error?.code == .refused(.linkUnknown))
        #expect(device.service.requests("POST /v1/link/password/finish").count == 1)
    }

    @Test("A link whose answer was lost has worked if the account has an address now", arguments: [true, false])
    func lost(hasArrived: Bool) async throws {
        let client = try await client()
        let isFirst = Lock(true)
        device.service.on("POST /v1/link/password/finish") { [service = device.service] _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return try .refusal(404, .linkUnknown) }
            if hasArrived { _ = try service.added([.apple(current: true), .email()]) }
            throw URLError(.networkConnectionLost)
        }
        if hasArrived {
            #expect(try await client.finishLink(try Self.link()).map(\.provider) == [.apple, .email])
        } else {
            let error = await failure { try await client.finishLink(try Self.link()) }
            #expect(error?.code == .refused(.linkUnknown))
        }
    }

    @Test("It has worked also if the access token has expired meanwhile")
    func lostWithToken() async throws {
        let client = try await client()
        let lost = Reply { service, _ in
            _ = try service.added([.apple(current: true), .email()])
            throw URLError(.networkConnectionLost)
        }
        device.service.on(
            "POST /v1/link/password/finish", lost, .refusal(401, .accessTokenExpired), .refusal(404, .linkUnknown))
        let identities = try await client.finishLink(try Self.link())
        #expect(identities.map(\.provider) == [.apple, .email])
    }

    @Test("The service tells that a link from a mail adds an address")
    func purpose() async throws {
        let client = try await client()
        device.service.on("POST /v1/email-links") { _ in
            try .json(
                200,
                EmailLinkAnswer(
                    purpose: .link, address: nil, expiresAt: APITime(secondsSince1970: 0), needsEmail: false))
        }
        #expect(try await client.details(of: try Self.link()).purpose == .link)
    }
}
