import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Replay protection")
struct ReplayTests {
    let clock = TestClock()
    let verifier: IdentityVerifier
    let notifications: NotificationVerifier
    let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)

    init() throws {
        let keys = try KeyCache(fixed: TestSigner.shared.keySetJSON())
        verifier = IdentityVerifier(keys: keys, environment: clock.environment)
        notifications = NotificationVerifier(keys: keys, environment: clock.environment)
    }

    private func code(_ token: String, _ memory: some ReplayMemory) async -> AppleIDError.Code? {
        await failure { () async throws(AppleIDError) in
            _ = try await verifier.verify(token, expecting: expectation, replay: memory)
        }?.code
    }

    @Test("A token is accepted once, and another token of the same person is accepted too")
    func once() async throws {
        let memory = InMemoryReplayMemory(environment: clock.environment)
        let token = try TestSigner.shared.token(.identity())
        #expect(await code(token, memory) == nil)
        #expect(await code(token, memory) == .tokenReplayed)
        #expect(await code(try TestSigner.shared.token(.identity(["auth_time": "1"])), memory) == nil)
    }

    @Test("If many calls present one token at once, one succeeds")
    func race() async throws {
        let memory = InMemoryReplayMemory(environment: clock.environment)
        let token = try TestSigner.shared.token(.identity())
        let wins = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { await code(token, memory) == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    @Test("A token that is refused for another reason is not remembered")
    func refused() async throws {
        let memory = InMemoryReplayMemory(capacity: 1, environment: clock.environment)
        #expect(await code(try TestSigner.shared.token(.identity(["exp": "1"])), memory) == .tokenExpired)
        #expect(await code(try TestSigner.shared.token(.identity()), memory) == nil)
    }

    @Test("A full memory refuses new tokens rather than forgets one, and has room again after an expiry")
    func full() async throws {
        let memory = InMemoryReplayMemory(capacity: 2, environment: clock.environment)
        let tokens = try (0..<4).map { number in
            try TestSigner.shared.token(
                .identity(["auth_time": "\(number)", "exp": "\(TestClaims.issuedAt + 100 * (number + 1))"]))
        }
        #expect(await code(tokens[0], memory) == nil)
        #expect(await code(tokens[1], memory) == nil)
        let error = await failure { () async throws(AppleIDError) in
            _ = try await verifier.verify(tokens[2], expecting: expectation, replay: memory)
        }
        #expect(error?.code == .replayUnknown)
        #expect(error?.kind == .transient)
        #expect(error?.cause as? InMemoryReplayMemory.Full == .init())
        #expect(await code(tokens[0], memory) == .tokenReplayed)
        clock.advance(by: 159)
        #expect(await code(tokens[2], memory) == .replayUnknown, "the first one still verifies for a second")
        clock.advance(by: 1)
        #expect(await code(tokens[0], memory) == .tokenExpired)
        #expect(await code(tokens[2], memory) == nil)
        #expect(await code(tokens[3], memory) == .replayUnknown)
        #expect(await code(tokens[1], memory) == .tokenReplayed)
    }

    struct Broken: ReplayMemory {
        struct Failure: Error {}

        func insert(_ identifier: ReplayIdentifier) async throws -> Bool { throw Failure() }
    }

    @Test("If the memory fails, the token is refused")
    func broken() async throws {
        #expect(await code(try TestSigner.shared.token(.identity()), Broken()) == .replayUnknown)
    }

    @Test("A notification verifies each time, and is recognized by its identifier however often it is signed")
    func notification() async throws {
        let memory = InMemoryReplayMemory(environment: clock.environment)
        let expectation = NotificationExpectation(audiences: [TestClaims.audience])
        func isNew(_ changes: [String: String?]) async throws -> Bool {
            let payload = try TestSigner.shared.token(.notification(changes))
            return try await memory.insert(
                ReplayIdentifier(try await notifications.verify(payload, expecting: expectation)))
        }
        #expect(try await isNew([:]))
        #expect(try await !isNew(["iat": "\(TestClaims.issuedAt - 1)"]))
        #expect(try await isNew(["jti": "\"id-2\"", "exp": nil]))
        // Without exp it counts for seven days, and so long it is remembered.
        clock.advance(by: 7 * 86_400)
        #expect(try await !isNew(["jti": "\"id-2\"", "exp": nil]))
        #expect(
            ReplayIdentifier(
                try await notifications.verify(
                    TestSigner.shared.token(.notification(["exp": nil])), expecting: expectation)
            ).expiresAt == Date(timeIntervalSince1970: Double(TestClaims.issuedAt + 7 * 86_400 + 60)))
    }
}
