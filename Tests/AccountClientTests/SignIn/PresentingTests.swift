import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("Presenting a credential to the account service", .timeLimit(.minutes(2)))
struct PresentingTests {
    private let device = TestDevice()

    @Test(
        "A failure that passes is tried again, with growing pauses",
        arguments: [
            Reply.lost, .unreachable(.cannotConnectToHost), .refusal(503, .unavailable),
            .refusal(503, .keysUnavailable),
            .refusal(503, .appleUnavailable), .page(502),
        ])
    func again(reply: Reply) async throws {
        device.service.on("POST /v1/sign-in/apple", reply, reply, .usual)
        let account = try await device.client().signIn(with: TestDevice.credential())
        #expect(account.id == "acc_1")
        let pauses = device.time.pauses
        #expect(pauses.count == 2)
        #expect((.milliseconds(375) ... .milliseconds(625)).contains(pauses[0]))
        #expect((.milliseconds(750) ... .milliseconds(1_250)).contains(pauses[1]))
        let nonces = Set(device.service.requests.compactMap { $0.json["nonce"] as? String })
        #expect(nonces == ["a-nonce-of-the-app-s-own"])
    }

    @Test("It may wait as long as the service waits for Apple, and other calls may not")
    func silenceLimits() async throws {
        let client = try await device.signedInClient()
        _ = try await client.reloadAccount()
        #expect(device.service.requests("POST /v1/sign-in/apple").map(\.silenceLimit) == [.seconds(35)])
        #expect(device.service.requests("GET /v1/account").map(\.silenceLimit) == [.seconds(10)])
    }

    @Test("It is tried four times and no more")
    func bounded() async throws {
        device.service.on("POST /v1/sign-in/apple", .lost)
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .backendUnavailable)
        #expect(device.service.requests.count == 4)
        #expect(await client.account == nil)
    }

    @Test(
        "When a lost answer has used the credential up, the error says to begin again",
        arguments: [
            ErrorCode.tokenAlreadyUsed, .nonceAlreadyUsed, .codeAlreadyUsed,
        ])
    func usedUp(code: ErrorCode) async throws {
        device.service.on("POST /v1/sign-in/apple", .lost, .refusal(401, code))
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .refused(code))
        #expect(error?.code.refusal == code)
        #expect(error?.hint?.contains("signIn() again") == true)
    }

    @Test(
        "A refusal is not repeated, and keeps the account service's word",
        arguments: [
            (400, ErrorCode.invalidRequest), (401, .signatureInvalid), (401, .audienceMismatch), (401, .nonceMismatch),
            (401, ErrorCode(rawValue: "a_newer_word")),
        ])
    func refused(status: Int, code: ErrorCode) async throws {
        device.service.on("POST /v1/sign-in/apple", .refusal(status, code))
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .refused(code))
        #expect(error?.reason.contains(code.rawValue) == true)
        #expect(device.service.requests.count == 1)
    }

    @Test(
        "An error that only an operator can fix isn't retried, and nobody is signed in",
        arguments: [
            (503, ErrorCode.configuration), (502, .appleConfiguration),
        ])
    func misconfigured(status: Int, code: ErrorCode) async throws {
        device.service.on("POST /v1/sign-in/apple", .refusal(status, code))
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .backendUnavailable)
        #expect(device.service.requests.count == 1)
    }

    @Test("An answer that isn't the account service's is an invalid response", arguments: [200, 302, 404])
    func strangeAnswer(status: Int) async throws {
        device.service.on("POST /v1/sign-in/apple", .page(status))
        let client = try device.client()
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .invalidResponse)
    }

    @Test("A code without an identity token needs a client id")
    func codeAlone() async throws {
        var credential = TestDevice.credential()
        credential.identityToken = nil
        credential.nonce = nil
        let client = try device.client()
        let without = credential
        #expect(await failure { try await client.signIn(with: without) }?.code == .notConfigured)
        #expect(device.service.requests.isEmpty)
        credential.clientID = "com.example.app"
        try await client.signIn(with: credential)
        let body = try #require(device.service.requests.first).json
        #expect(body["clientID"] as? String == "com.example.app")
        #expect(body["identityToken"] is NSNull)
        #expect(body["nonce"] is NSNull)
    }

    @Test(
        "Nothing is sent to a backend where others could read it",
        arguments: [
            "http://accounts.example.com", "accounts.example.com", "ftp://accounts.example.com",
            "https://ada:secret@accounts.example.com",
        ])
    func badBackend(text: String) async throws {
        let client = AccountClient(
            backend: try #require(URL(string: text)), app: "com.example.app", storage: device.storage
        ) { $0.transport = device.service.transport }
        let error = await failure { try await client.signIn(with: TestDevice.credential()) }
        #expect(error?.code == .notConfigured)
        #expect(device.service.requests.isEmpty)
    }

    @Test("A credential without token and code is refused here")
    func nothing() async throws {
        let credential = AppleCredential(
            user: TestDevice.user, identityToken: nil, authorizationCode: nil, nonce: nil)
        let client = try device.client()
        #expect(await failure { try await client.signIn(with: credential) }?.code == .invalidResponse)
        #expect(device.service.requests.isEmpty)
    }

    @Test("No error shows a token, a code, a nonce or a name")
    func descriptions() async throws {
        for reply in [Reply.lost, .refusal(401, .tokenAlreadyUsed), .page(200), .refusal(503, .unavailable)] {
            device.service.on("POST /v1/sign-in/apple", reply)
            let client = try device.client()
            let error = try #require(
                await failure { try await client.signIn(with: TestDevice.credential(fullName: ada)) })
            for text in ["\(error)", error.reason, error.hint ?? "", "\(error.code)"] {
                for secret in ["identity-token", "apple-code", "a-nonce", "Lovelace", TestDevice.user] {
                    #expect(!text.contains(secret))
                }
            }
        }
    }
}
