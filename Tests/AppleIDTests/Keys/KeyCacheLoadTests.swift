import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import AppleID

@Suite("Key cache under load")
struct KeyCacheLoadTests {
    static let known: KeyID = "TESTKEY001"
    let clock = TestClock()
    let transport: TestTransport
    let cache: KeyCache
    /// The cache logs how each request ended, once it is no longer under way.
    let log: EventLog
    let keySet: TestTransport.Answer

    init() throws {
        keySet = .ok(try TestSigner.shared.keySetJSON())
        transport = TestTransport(keySet)
        log = EventLog()
        cache = KeyCache(
            server: .apple, transport: transport, environment: clock.environment,
            logger: Logger(label: "test") { [log] _ in log })
    }

    private func code(_ id: KeyID) async -> AppleIDError.Code? {
        await failure { () async throws(AppleIDError) in _ = try await cache.key(id) }?.code
    }

    @Test("Ten thousand tasks at a cold start make one request, and each verifies its token")
    func cold() async throws {
        transport.answer(.held(then: keySet))
        let token = try TestSigner.shared.token(.identity())
        let verifier = IdentityVerifier(keys: cache, environment: clock.environment)
        let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)
        try await withThrowingTaskGroup(of: VerifiedIdentity.self) { group in
            for _ in 0..<10_000 {
                group.addTask { try await verifier.verify(token, expecting: expectation) }
            }
            await transport.waitForRequests(1)
            transport.release()
            var verified = 0
            for try await _ in group { verified += 1 }
            #expect(verified == 10_000)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("A flood of unknown names makes one request a minute, and known keys serve all the while")
    func flood() async throws {
        _ = try await cache.key(Self.known)
        for minute in 1...10 {
            var counts: [AppleIDError.Code?: Int] = [:]
            for second in 0..<60 {
                await withTaskGroup(of: AppleIDError.Code?.self) { group in
                    for number in 0..<50 {
                        group.addTask { await code(KeyID("random-\(minute)-\(second)-\(number)")) }
                        group.addTask { await code(Self.known) }
                    }
                    for await code in group { counts[code, default: 0] += 1 }
                }
                clock.advance(by: 1)
            }
            #expect(transport.requests.count == 1 + minute)
            #expect(counts[nil] == 3_000)
            #expect(counts[.unknownKey, default: 0] + counts[.keysUnavailable, default: 0] == 3_000)
            #expect(counts[.unknownKey, default: 0] >= 1)
        }
    }

    @Test("A flood of unknown names that meets a cold cache makes one request a minute too", arguments: [false, true])
    func coldFlood(hasArchive: Bool) async throws {
        let json = try TestSigner.shared.keySetJSON()
        let fetchedAt = clock.now.addingTimeInterval(-600)
        let cache = KeyCache(
            server: .apple, transport: transport,
            archive: hasArchive ? KeySetArchive(load: { (json, fetchedAt) }, save: { _, _ in }) : nil,
            environment: clock.environment, logger: Logger(label: "test") { [log] _ in log })
        for minute in 1...3 {
            for second in 0..<60 {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            let name = KeyID("random-\(minute)-\(second)-\(number)")
                            #expect(
                                await failure { () async throws(AppleIDError) in _ = try await cache.key(name) } != nil)
                        }
                    }
                }
                clock.advance(by: 1)
            }
            #expect(transport.requests.count == minute)
        }
        #expect(try await cache.key(Self.known).id == Self.known)
    }

    @Test("After a forced request a rotated key is unavailable for up to a minute, and found then")
    func rotation() async throws {
        _ = try await cache.key(Self.known)
        let second = TestSigner.other
        let both = try TestTransport.Answer.ok(
            TestSigner.keySetJSON([TestSigner.shared.publicKey(), second.publicKey()]))
        // Somebody's invented name has just used up this minute's request.
        #expect(await code("random") == .unknownKey)
        transport.answer(both)
        clock.advance(by: 59)
        #expect(await code(KeyID(second.keyID)) == .keysUnavailable)
        #expect(AppleIDError(.keysUnavailable, "").kind == .transient, "not a word against the token")
        clock.advance(by: 1)
        #expect(await code(KeyID(second.keyID)) == nil)
        #expect(await code(Self.known) == nil)
        #expect(transport.requests.count == 3)
    }

    @Test("A rotation is picked up within one sign-in when nobody forced a request in the last minute")
    func freshRotation() async throws {
        let second = TestSigner.other
        let verifier = IdentityVerifier(keys: cache, environment: clock.environment)
        let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)
        _ = try await verifier.verify(TestSigner.shared.token(.identity()), expecting: expectation)
        transport.answer(
            try .ok(TestSigner.keySetJSON([TestSigner.shared.publicKey(), second.publicKey()])))
        // Not even a second after the first request: that one nobody forced.
        _ = try await verifier.verify(second.token(.identity()), expecting: expectation)
        _ = try await verifier.verify(TestSigner.shared.token(.identity()), expecting: expectation)
        #expect(transport.requests.count == 2)
    }

    @Test("If Apple fails in every way, a thousand sign-ins a second cost one request a minute, and none fails")
    func outage() async throws {
        _ = try await cache.key(Self.known)
        clock.advance(by: 3_601)
        let answers: [TestTransport.Answer] = [
            .status(500), .status(403, "<html>Forbidden</html>"), .ok(Array("<html></html>".utf8)),
            .failure(TestTransport.Lost()), .ok(Array(#"{"keys":[]}"#.utf8)),
        ]
        for (minute, answer) in answers.enumerated() {
            transport.answer(answer)
            for _ in 0..<1_000 { #expect(try await cache.key(Self.known).id == Self.known) }
            await log.waitForLines(minute + 2)
            for _ in 0..<1_000 { #expect(try await cache.key(Self.known).id == Self.known) }
            #expect(transport.requests.count == minute + 2)
            clock.advance(by: 60)
        }
    }

    @Test("If Apple never answers, callers with known keys don't wait, and others get an error at the time limit")
    func never() async throws {
        _ = try await cache.key(Self.known)
        clock.advance(by: 3_601)
        transport.answer(.held(then: .failure(TestTransport.Lost())))
        for _ in 0..<1_000 { #expect(try await cache.key(Self.known).id == Self.known) }
        await transport.waitForRequests(2)
        // A caller that comes only when that has ended has another one made.
        transport.answer(.failure(TestTransport.Lost()))
        #expect(cache.isWorking, "the request for a younger set is under way, and nobody waits for it")
        async let unknown = code("random")
        for _ in 0..<1_000 { #expect(try await cache.key(Self.known).id == Self.known) }
        transport.release()
        #expect(await unknown == .keysUnavailable)
        #expect(try await cache.key(Self.known).id == Self.known)
    }

    /// A server that takes connections and never says a word.
    private func silentServer() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    @Test(
        "If Apple never answers, the transport gives up, and waiting callers get an error",
        .timeLimit(.minutes(1)))
    func silence() async throws {
        let server = try await silentServer()
        let port = try #require(server.localAddress?.port)
        let network = AsyncHTTPTransport(timeLimit: .milliseconds(200))
        let cache = KeyCache(
            server: try .emulator(at: "http://127.0.0.1:\(port)"), transport: network, environment: clock.environment,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let error = await failure { () async throws(AppleIDError) in _ = try await cache.key(Self.known) }
        #expect(error?.code == .keysUnavailable)
        try await network.shutdown()
        try await server.close()
    }
}
