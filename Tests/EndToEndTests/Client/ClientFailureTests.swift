import AccountAPI
import AccountClient
import AppleIDTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("A client whose backend, session or process fails", .eachEngine, .timeLimit(.minutes(2)))
struct ClientFailureTests {
    @Test("fifty callers with an expired access token cause one refresh")
    func fiftyCallers() async throws {
        try await ClientSystem.run(.sockets) { street in
            let storage = MemoryStorage()
            _ = try await street.client(storage: storage).signIn()
            let restarted = street.client(storage: storage)
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 { group.addTask { try await restarted.accessToken() } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(tokens.count == 1)
            #expect(street.network.count(of: "/v1/session/refresh") == 1)
        }
    }

    @Test("a backend that is down doesn't sign the person out")
    func backendDown() async throws {
        try await ClientSystem.run { street in
            let storage = MemoryStorage()
            let account = try await street.client(storage: storage).signIn()
            street.network.goDown()

            let restarted = street.client(storage: storage)
            let error = await #expect(throws: AccountClientError.self) { try await restarted.accessToken() }
            #expect(error?.code == .backendUnavailable)
            let failure = await #expect(throws: AccountClientError.self) {
                try await street.client().signIn()
            }
            #expect(failure?.code == .backendUnavailable)

            street.network.comeBack()
            #expect(try await restarted.existingAccount()?.id == account.id)
        }
    }

    @Test("a session that the server has ended is over for the client too")
    func sessionEnded() async throws {
        try await ClientSystem.run { street in
            let storage = MemoryStorage()
            let client = street.client(storage: storage)
            _ = try await client.signIn()
            street.system.clock.advance(by: .seconds(400 * 86_400))

            let restarted = street.client(storage: storage)
            let error = await #expect(throws: AccountClientError.self) { try await restarted.accessToken() }
            #expect(error?.code == .sessionEnded)
            #expect(try await street.client(storage: storage).existingAccount() == nil)
        }
    }

    @Test(
        "a refresh whose answer is lost for hours keeps the session, and a thief with the former token ends it")
    func lostAnswer() async throws {
        try await ClientSystem.run { street in
            let storage = MemoryStorage()
            let account = try await street.client(storage: storage).signIn()
            street.network.loseAnswers(from: "/v1/session/refresh")
            // A killed app leaves only its storage. The running client isn't used again.
            let error = await #expect(throws: AccountClientError.self) {
                try await street.impatientClient(storage: storage).accessToken()
            }
            #expect(error?.code == .backendUnavailable)
            street.system.clock.advance(by: .seconds(3 * 3_600))
            street.network.comeBack()

            let restarted = street.client(storage: storage)
            _ = try await restarted.accessToken()
            #expect(try await restarted.existingAccount()?.id == account.id)
            let sent = street.network.bodies(to: "/v1/session/refresh")
            let requests = try sent.map { try JSONDecoder().decode(RefreshRequest.self, from: $0) }
            #expect(Set(requests).count == 1 && requests.first?.attempt != nil)

            // The account was asked for with the new access token, so the old token is worth nothing to anybody.
            let stolen = ByteBuffer(bytes: try #require(sent.first))
            let answer = try await street.service.execute(
                uri: "/v1/session/refresh", method: .post, headers: [.contentType: "application/json"], body: stolen)
            #expect(answer.status == .unauthorized && String(buffer: answer.body).contains("refresh_token_reused"))
        }
    }

    @Test("the name of a first sign-in survives a client that was killed before the server had it")
    func killedBeforePosting() async throws {
        try await ClientSystem.run { street in
            street.browser.change { $0.name = ("Jane", "Doe") }
            let storage = MemoryStorage()
            street.network.loseRequests(to: "/v1/sign-in/apple")
            // A killed app leaves only its storage. The running client isn't used again.
            let error = await #expect(throws: AccountClientError.self) {
                try await street.impatientClient(storage: storage).signIn()
            }
            #expect(error?.code == .backendUnavailable)

            street.network.comeBack()
            let account = try await street.client(storage: storage).signIn()
            let last = try #require(street.network.bodies(to: "/v1/sign-in/apple").last)
            #expect(try JSONDecoder().decode(NativeSignInRequest.self, from: last).fullName?.givenName == "Jane")
            #expect(account.name?.givenName == "Jane")
        }
    }

    @Test("an authorization that the app gave up is not finished by the browser")
    func abandoned() async throws {
        try await ClientSystem.run { street in
            let begun = AsyncStream.makeStream(of: Void.self)
            let given = AsyncStream.makeStream(of: Void.self)
            street.browser.change { manner in
                manner.reachesApp = false
                manner.beforeReturning = {
                    begun.continuation.finish()
                    for await _ in given.stream {}
                }
            }
            // A busy machine may need longer than the two seconds that telling is given.
            let patient = FlowTime(now: { Date() }, sleep: { _ in try await OneShot<Void>().value() })
            let client = AccountClient(
                configuration: street.configuration(), storage: MemoryStorage(), environment: .system, time: patient)
            let signIn = Task { try await client.signIn() }
            for await _ in begun.stream {}
            signIn.cancel()
            let error = await #expect(throws: AccountClientError.self) { try await signIn.value }
            #expect(error?.code == .cancelled)
            await street.network.answered("/v1/authorizations/cancel")
            given.continuation.finish()
            let last = try await street.browser.lastPage()
            #expect(last.contains("Juice has stopped waiting"))
            #expect(street.network.count(of: "/v1/authorizations/redeem") == 0)
        }
    }
}
