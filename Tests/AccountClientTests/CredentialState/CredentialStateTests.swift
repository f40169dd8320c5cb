import AccountAPI
import AuthenticationServicesTesting
import Foundation
import Testing

@testable import AccountClient

/// The state of the person's credential as the account service tells it, and what the client makes of it.
@Suite("The state of a credential", .timeLimit(.minutes(2)))
struct CredentialStateTests {
    private let device = TestDevice()
    private static let call = "GET /v1/apple/credential-state"

    private func answer(_ word: String) {
        device.service.on(Self.call) { _ in try .json(200, CredentialStateAnswer(credentialState: word)) }
    }

    /// The account service refuses the session, and says that it was Apple's word that ended it.
    private func endByApple(_ word: String = "revoked") {
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        answer(word)
    }

    /// The answer of a provider of Apple's that asks this client. On Apple's systems no provider does, so the client is asked.
    private func provider(
        _ client: AccountClient, _ user: String = TestDevice.user
    ) async -> (state: ASAuthorizationAppleIDProvider.CredentialState, error: (any Error)?) {
        #if canImport(Darwin)
            await client.calls.credentialState(forUserID: user)
        #else
            await AccountServicePerformer(configuration: client.configuration).credentialState(forUserID: user)
        #endif
    }

    @Test("The client asks for the state every time, and returns the service's answer")
    func authorized() async throws {
        let client = try await device.signedInClient()
        for _ in 0..<2 { #expect(try await client.credentialState() == .authorized) }
        #expect(device.service.requests(Self.call).count == 2)
        answer("transferred")
        #expect(try await client.credentialState() == .transferred)
        #expect(await provider(client).state == .transferred)
        #expect(await client.account != nil)
        #expect(device.time.revocations == 0)
    }

    @Test("An unknown state is an invalid response, and ends no session")
    func unknownWord() async throws {
        let client = try await device.signedInClient()
        answer("suspended")
        #expect(await failure { try await client.credentialState() }?.code == .invalidResponse)
        #expect(await client.account != nil)
    }

    @Test("Revoked, or gone, ends the session here, and the process is told once", arguments: ["revoked", "notFound"])
    func ended(word: String) async throws {
        let client = try await device.signedInClient()
        endByApple(word)
        let state = try await client.credentialState()
        #expect(state == (word == "revoked" ? .revoked : .notFound))
        #expect(await client.account == nil)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.appleAccessEnded))
        #expect(device.time.revocations == 1)
        #expect(await provider(client).state == state)
        #expect(device.time.revocations == 1)
    }

    @Test("A revocation that the person asked for ends no session; the process is told once")
    func revokedByWish() async throws {
        let client = try await device.signedInClient()
        answer("revoked")
        for _ in 0..<2 { #expect(try await client.credentialState() == .revoked) }
        #expect(await client.account != nil)
        #expect(device.time.revocations == 1)
        device.time.advance(by: .seconds(600))
        _ = try await client.accessToken()
        device.service.on(Self.call, .unreachable(.notConnectedToInternet))
        #expect(await provider(client).state == .revoked)
        answer("authorized")
        #expect(try await client.credentialState() == .authorized)
        #expect(device.time.revocations == 1)
    }

    @Test("After a refused renewal, the client asks for the state with its last refresh token")
    func refusedRenewal() async throws {
        let client = try await device.signedInClient()
        endByApple()
        device.time.advance(by: .seconds(600))
        let error = await failure { try await client.accessToken() }
        #expect(error?.code == .sessionEnded)
        #expect(error?.reason.contains("Apple Account") == true)
        #expect(device.service.requests(Self.call).last?.headers["Authorization"] == "Bearer refresh-1.0")
        #expect(device.time.revocations == 1)
        #expect(await provider(client).state == .revoked)
        #expect(try await client.credentialState() == .revoked)
    }

    @Test("A later start knows the state, also without a network, until somebody signs in")
    func laterStart() async throws {
        _ = try await device.signedInClient()
        endByApple()
        let first = try device.client()
        #expect(try await first.existingAccount() == nil)
        #expect(device.time.revocations == 1)

        let second = try device.client()
        device.service.on(Self.call, .unreachable(.notConnectedToInternet))
        var states = second.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.appleAccessEnded))
        let offline = await provider(second)
        #expect(offline.state == .revoked)
        #expect((offline.error as? AccountClientError)?.code == .backendUnavailable)
        #expect(device.time.revocations == 1)

        answer("authorized")
        device.service.on("GET /v1/account", .usual)
        try await second.signIn(with: TestDevice.credential())
        #expect(try await second.credentialState() == .authorized)
        #expect(try device.stored?.contains("revoked") == false)
    }

    @Test("A sign-out removes the stored state")
    func signedOut() async throws {
        let client = try await device.signedInClient()
        endByApple()
        _ = try await client.credentialState()
        try await client.signOut()
        #expect(try device.stored == nil)
        #expect(await provider(client).state == .notFound)
        #expect(await failure { try await client.credentialState() }?.code == .notSignedIn)
    }

    @Test("When the service does not know the ended session any more, the user is not found")
    func forgotten() async throws {
        let client = try await device.signedInClient()
        endByApple()
        _ = try await client.credentialState()
        device.service.on(Self.call, .refusal(401, .sessionEnded))
        #expect(await provider(client).state == .notFound)
        #expect(try device.stored == nil)
    }

    @Test("If the reason for a session's end is unknown at first, a later call finds it")
    func explainedLater() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on(Self.call, .unreachable(.notConnectedToInternet))
        device.time.advance(by: .seconds(600))
        #expect(await failure { try await client.accessToken() }?.code == .sessionEnded)
        let unknown = await provider(client)
        #expect(unknown.state == .notFound)
        #expect(unknown.error != nil)
        #expect(device.time.revocations == 0)

        answer("revoked")
        #expect(await provider(client).state == .revoked)
        #expect(device.time.revocations == 1)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.appleAccessEnded))
    }

    @Test(
        "Without the account service the last known state is returned with the error, and never as revoked",
        arguments: [
            Reply.unreachable(.notConnectedToInternet), .lost, .refusal(503, .unavailable), .refusal(500, .internal),
            .page(502),
        ])
    func offline(reply: Reply) async throws {
        let client = try await device.signedInClient()
        device.service.on(Self.call, reply)
        let known = await provider(client)
        #expect(known.state == .authorized)
        #expect((known.error as? AccountClientError)?.code == .backendUnavailable)
        #expect(await failure { try await client.credentialState() }?.code == .backendUnavailable)
        #expect(await client.account != nil)
        #expect(device.time.revocations == 0)
    }

    @Test("A state that is thirty days old counts as unknown")
    func tooOld() async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(31 * 86_400))
        device.service.on("POST /v1/session/refresh", .unreachable(.notConnectedToInternet))
        let known = await provider(client)
        #expect(known.state == .notFound)
        #expect(known.error != nil)
        #expect(await client.account != nil)
    }

    @Test("After a reused refresh token, the client doesn't ask for the state at Apple")
    func reused() async throws {
        let client = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenReused))
        answer("revoked")
        device.time.advance(by: .seconds(600))
        #expect(await failure { try await client.accessToken() }?.code == .sessionEnded)
        #expect(device.time.revocations == 0)
        #expect(device.service.requests(Self.call).isEmpty)
    }

    @Test("Each process with the same storage is told of a revocation")
    func otherProcess() async throws {
        let client = try await device.signedInClient()
        let other = try device.client()
        _ = try await other.existingAccount()
        endByApple()
        _ = try await other.existingAccount()
        #expect(device.time.revocations == 1)
        device.time.advance(by: .seconds(600))
        #expect(await failure { try await client.accessToken() }?.code == .sessionEnded)
        #expect(device.time.revocations == 2)
    }
}
