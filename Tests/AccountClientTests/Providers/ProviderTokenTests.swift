import AccountAPI
import AccountClient
import Foundation
import Testing

extension LinkBody {
    /// An identity at another provider.
    fileprivate static func google() -> Self {
        var body = email()
        body.id = "idn_google"
        body.provider = "google"
        body.hasPassword = false
        return body
    }
}

@Suite("An identity token of another provider", .timeLimit(.minutes(2)))
struct ProviderTokenTests {
    private let device = TestDevice()
    private let token = ProviderToken(
        provider: .init(rawValue: "google"), identityToken: "google-token", nonce: "a-nonce-of-the-app-s-own",
        fullName: ada)

    @Test("It signs in, and the session is as any other")
    func signsIn() async throws {
        device.service.on("POST /v1/sign-in/google") { [service = device.service] _ in try service.signIn() }
        let client = try device.client(deviceName: "Ada's phone")
        let account = try await client.signIn(with: token)
        #expect(account.id == "acc_1" && account.user == nil)
        let call = try #require(device.service.requests("POST /v1/sign-in/google").first)
        #expect(call.json["identityToken"] as? String == "google-token")
        #expect(call.silenceLimit == .seconds(35), "the service may wait for the provider")
        #expect(call.json["nonce"] as? String == token.nonce && call.json["deviceName"] as? String == "Ada's phone")
        #expect((call.json["fullName"] as? [String: Any])?["givenName"] as? String == "Ada")
        #expect(try await client.accessToken() == "access-1.0")
        #expect(try await device.client().existingAccount()?.id == "acc_1")
    }

    @Test("A refusal has the service's code and a hint")
    func refused() async throws {
        for (code, status) in [(ErrorCode.unknownProvider, 404), (.invalidProviderToken, 401)] {
            device.service.on("POST /v1/sign-in/google", .refusal(status, code))
            let error = await failure { try await device.client().signIn(with: token) }
            #expect(error?.code == .refused(code) && error?.hint != nil)
        }
    }

    @Test(
        "An invalid provider id never leads to another call",
        arguments: ["é", "apple", "password", "Google", "a/b", ""])
    func noID(id: String) async throws {
        device.service.on("POST /v1/sign-in/_", .refusal(404, .unknownProvider))
        let token = ProviderToken(provider: .init(rawValue: id), identityToken: "token", nonce: "a-nonce")
        let error = await failure { try await device.client().signIn(with: token) }
        #expect(error?.code == .refused(.unknownProvider))
        #expect(device.service.requests("POST /v1/sign-in/_").count == 1)
    }

    @Test("It is linked once, also when the answer is lost")
    func links() async throws {
        let client = try await device.clientByPassword()
        device.service.list(.email(current: true))
        device.service.on("POST /v1/link/google") { [service = device.service] _ in
            service.list(.email(current: true), .google())
            throw URLError(.networkConnectionLost)
        }
        let links = try await client.link(with: token)
        #expect(links.map(\.provider.rawValue) == ["email", "google"])
        #expect(device.service.requests("POST /v1/link/google").count == 1)
    }

    @Test("It is linked once, also when the answer is lost and the access token has expired meanwhile")
    func linksWithLostToken() async throws {
        let client = try await device.clientByPassword()
        device.service.list(.email(current: true))
        let added = LinkListAnswer(links: [.email(current: true), .google()])
        device.service.on("POST /v1/link/google") { [service = device.service] _ in
            service.on(
                "GET /v1/links", .refusal(401, .accessTokenExpired), Reply { _, _ in try .json(200, added) })
            throw URLError(.networkConnectionLost)
        }
        #expect(try await client.link(with: token).map(\.provider.rawValue) == ["email", "google"])
        #expect(device.service.requests("POST /v1/link/google").count == 1)
    }

    @Test("A conflict has a handle, which signs in to the other account")
    func conflict() async throws {
        let client = try await device.clientByPassword()
        device.service.list(.email(current: true))
        device.service.on("POST /v1/link/google") { _ in try .conflict(handle: String(repeating: "h", count: 43)) }
        let error = await failure { try await client.link(with: token) }
        let handle = try #require(error?.signInHandle)
        device.service.on("POST /v1/sign-in/handle") { [service = device.service] _ in try service.signIn() }
        #expect(try await client.signIn(with: handle).user == nil)
    }

    @Test("It proves that the person is there")
    func proves() async throws {
        device.service.on("POST /v1/sign-in/google") { [service = device.service] _ in try service.signIn() }
        device.service.on("POST /v1/reauthenticate/google") { _ in
            try .json(
                200,
                ReauthenticationAnswer(
                    authenticatedAt: APITime(secondsSince1970: 1_700_000_100), accessToken: "access-fresh",
                    expiresIn: 600))
        }
        let client = try device.client()
        try await client.signIn(with: token)
        let moment = try await client.reauthenticate(with: token)
        #expect(moment == Date(timeIntervalSince1970: 1_700_000_100))
        #expect(try await client.accessToken() == "access-fresh")
    }
}
