import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import AccountClient

/// Apple's system tells a state at the app's start, and after its notice of a revocation. The client acts on the state.
@Suite("The state of a credential as Apple's system tells it", .timeLimit(.minutes(2)))
struct SystemStateTests {
    private let device = TestDevice()
    private static let call = "GET /v1/apple/credential-state"

    init() {
        device.time.passLongPauses()
    }

    private func answer(_ words: String...) {
        let left = Lock(words)
        device.service.on(Self.call) { _ in
            let word = left.withLock { words in words.count > 1 ? words.removeFirst() : words.first }
            return try .json(200, CredentialStateAnswer(credentialState: word ?? ""))
        }
    }

    private func compare(
        _ client: AccountClient, _ state: ASAuthorizationAppleIDProvider.CredentialState
    ) async {
        await client.calls.compareWithApple { user in
            #expect(user == TestDevice.user)
            return state
        }
    }

    @Test("While the system says that all is well, the account service is not asked", arguments: [1, 3])
    func authorized(rawValue: Int) async throws {
        let client = try await device.signedInClient()
        await compare(client, try #require(.init(rawValue: rawValue)))
        #expect(device.service.requests(Self.call).isEmpty)
        #expect(await client.account != nil)
    }

    @Test("The system's word ends the session when the account service says the same", arguments: [0, 2])
    func ended(rawValue: Int) async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        answer("revoked")
        await compare(client, try #require(.init(rawValue: rawValue)))
        #expect(await client.account == nil)
        #expect(device.time.pauses.isEmpty)
    }

    @Test("An account service that learns of the revocation late is asked again")
    func later() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        answer("authorized", "authorized", "revoked")
        await compare(client, .revoked)
        #expect(await client.account == nil)
        #expect(device.time.pauses == [.seconds(10), .seconds(60)])
    }

    @Test("A revocation that only the system reports ends no session: the account service is asked four times")
    func contradicted() async throws {
        let client = try await device.signedInClient()
        answer("authorized")
        await compare(client, .revoked)
        #expect(await client.account != nil)
        #expect(device.service.requests(Self.call).count == 4)
    }

    @Test("Without a session, the system isn't asked")
    func nobody() async throws {
        let client = try device.client()
        await client.calls.compareWithApple { _ in
            Issue.record("the system was asked")
            return .revoked
        }
        #expect(device.service.requests(Self.call).isEmpty)
    }

    @Test("An error of the system's ends no session")
    func failure() async throws {
        let client = try await device.signedInClient()
        await client.calls.compareWithApple { _ in throw ASAuthorizationError(.unknown) }
        #expect(await client.account != nil)
        #expect(device.service.requests(Self.call).isEmpty)
    }
}
