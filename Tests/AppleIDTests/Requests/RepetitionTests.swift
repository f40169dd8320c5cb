import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Asking Apple again")
struct RepetitionTests {
    /// A call to Apple, by name.
    enum Call: CaseIterable {
        case exchange, refresh, revoke, migrationToken, transferSubject, person

        func perform(_ client: AppleIDClient) async throws(AppleIDError) {
            let token = MigrationToken(
                client: "com.example.juice", accessToken: AccessToken("a"), expiresAt: .distantFuture)
            switch self {
            case .exchange: _ = try await client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
            case .refresh: _ = try await client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "s")
            case .revoke: try await client.revoke(RefreshToken("r"), client: "com.example.juice")
            case .migrationToken: _ = try await client.migrationToken(client: "com.example.juice")
            case .transferSubject: _ = try await client.transferSubject(of: "s", to: "TEAM000002", using: token)
            case .person: _ = try await client.person(ofTransferSubject: "t", using: token)
            }
        }
    }

    static let silences: [TestTransport.Answer] = [
        .failure(TestTransport.Lost()), .status(500), .status(502, "<html></html>"), .status(503),
        .status(504, #"{"error":"invalid_grant"}"#),
    ]

    @Test(
        "A repeatable request is sent three times at most, and a code is sent once",
        arguments: Call.allCases)
    func attempts(call: Call) async throws {
        for silence in Self.silences {
            let setup = try TestClient()
            setup.transport.answer(silence)
            let error = await failure { () async throws(AppleIDError) in try await call.perform(setup.client) }
            #expect(error?.code == (call == .exchange ? .exchangeOutcomeUnknown : .appleUnavailable))
            #expect(setup.transport.requests.count == (call == .exchange ? 1 : 3))
            #expect(setup.clock.delays.count == (call == .exchange ? 0 : 2))
        }
    }

    @Test("If the second attempt gets an answer, the call returns it")
    func second() async throws {
        for first in Self.silences {
            let setup = try TestClient()
            setup.transport.answer(first, TestClient.answer())
            _ = try await setup.client.refresh(RefreshToken("r"), client: "com.example.juice", subject: "s")
            #expect(setup.transport.requests.count == 2)
            #expect(setup.transport.requests[0].body == setup.transport.requests[1].body)
        }
    }

    @Test(
        "An answer from Apple ends the attempts, even one that asks to slow down",
        arguments: [
            .status(429), .status(429, #"{"error":"temporarily_unavailable"}"#), .status(403, "<html></html>"),
            .status(400, #"{"error":"invalid_grant"}"#), .status(200, "<html></html>"), .status(302), .status(404),
        ] as [TestTransport.Answer])
    func answers(answer: TestTransport.Answer) async throws {
        let setup = try TestClient()
        setup.transport.answer(answer)
        let error = await failure { () async throws(AppleIDError) in try await Call.refresh.perform(setup.client) }
        #expect(error != nil)
        #expect(setup.transport.requests.count == 1)
    }

    @Test("Delays double up to a limit, and a random part of up to a half is subtracted")
    func delays() throws {
        let policy = RetryPolicy(
            maximumAttempts: 6, firstDelay: .milliseconds(100), maximumDelay: .milliseconds(500),
            timeLimit: .seconds(60))
        func delay(_ attempts: Int, _ random: UInt64) -> Duration? {
            policy.delay(after: attempts, elapsed: .zero, random: random)
        }
        #expect((1...6).map { delay($0, 0) } == [100, 200, 400, 500, 500].map { .milliseconds($0) } + [nil])
        #expect((1...5).map { delay($0, .max) } == [50, 100, 200, 250, 250].map { .milliseconds($0) })
        #expect(delay(0, 0) == nil)
        #expect(delay(Int.max, 0) == nil)
        #expect(RetryPolicy.never.delay(after: 1, elapsed: .zero, random: 0) == nil)
    }

    @Test("No attempt begins after the time limit, even if the clock changes")
    func timeLimit() {
        let policy = RetryPolicy.standard
        #expect(policy.delay(after: 1, elapsed: .seconds(14), random: 0) != nil)
        #expect(policy.delay(after: 1, elapsed: .seconds(14.9), random: 0) == nil)
        #expect(policy.delay(after: 1, elapsed: .seconds(1e9), random: 0) == nil)
        #expect(policy.delay(after: 1, elapsed: .seconds(-1), random: 0) == nil)
    }

    @Test("Slow failures use up the time limit, and the call throws the last one")
    func slow() async throws {
        let setup = try TestClient(
            retries: RetryPolicy(
                maximumAttempts: 100, firstDelay: .seconds(2), maximumDelay: .seconds(2), timeLimit: .seconds(5)))
        setup.transport.answer(.failure(TestTransport.Lost()))
        let error = await failure { () async throws(AppleIDError) in try await Call.revoke.perform(setup.client) }
        #expect(error?.cause is TestTransport.Lost)
        #expect((3...5).contains(setup.transport.requests.count))
        #expect(setup.clock.delays.reduce(.zero, +) <= .seconds(5))
    }

    @Test("A cancelled call sends no more requests")
    func cancelled() async throws {
        let setup = try TestClient()
        setup.transport.answer(.held(then: .status(500)))
        let task = Task {
            await failure { () async throws(AppleIDError) in try await Call.refresh.perform(setup.client) }
        }
        await setup.transport.waitForRequests(1)
        task.cancel()
        setup.transport.release()
        #expect(await task.value?.code == .appleUnavailable)
        #expect(setup.transport.requests.count == 1)
    }

    @Test("An interrupted wait ends the call with an error that has the interruption as its cause")
    func brokenWait() async throws {
        let setup = try TestClient()
        var environment = setup.clock.environment
        environment.sleep = { _ in throw CancellationError() }
        let client = AppleIDClient(
            clients: Array(setup.client.clients.values), transport: setup.transport, environment: environment,
            logger: setup.client.logger)
        let error = await failure { () async throws(AppleIDError) in try await Call.refresh.perform(client) }
        #expect(error?.code == .appleUnavailable)
        #expect(error?.cause is CancellationError)
    }
}
