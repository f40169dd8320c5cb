import AppleIDTypes
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import AppleID

@Suite("Key cache")
struct KeyCacheTests {
    static let first: KeyID = "TESTKEY001"
    static let second: KeyID = "TESTKEY002"

    let clock = TestClock()
    let transport: TestTransport
    let cache: KeyCache
    let firstOnly: TestTransport.Answer
    let secondOnly: TestTransport.Answer

    init() throws {
        firstOnly = .ok(try TestSigner.shared.keySetJSON())
        secondOnly = .ok(try TestSigner.other.keySetJSON())
        transport = TestTransport(firstOnly)
        cache = KeyCache(
            server: .apple, transport: transport, environment: clock.environment, logger: Logger(label: "test"))
    }

    @Test("The first look-up asks Apple with siwa's user agent, and the second look-up asks nobody")
    func first() async throws {
        #expect(transport.requests.isEmpty)
        #expect(try await cache.key(Self.first).id == Self.first)
        #expect(try await cache.key(Self.first).id == Self.first)
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(request.head.method == .get)
        #expect(request.url == "https://appleid.apple.com/auth/keys")
        #expect(request.head.headerFields[.userAgent]?.hasPrefix("siwa/") == true)
    }

    @Test("A thousand callers at a cold start make one request, and all are answered")
    func coldStart() async throws {
        transport.answer(.held(then: firstOnly))
        try await withThrowingTaskGroup(of: KeyID.self) { group in
            for _ in 0..<1_000 {
                group.addTask { try await cache.key(Self.first).id }
            }
            await transport.waitForRequests(1)
            transport.release()
            var answered = 0
            for try await id in group {
                #expect(id == Self.first)
                answered += 1
            }
            #expect(answered == 1_000)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("A known key is answered while a request is under way")
    func knownDuringRequest() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(.held(then: firstOnly))
        let unknown = Task { await code(Self.second) }
        await transport.waitForRequests(2)
        #expect(try await cache.key(Self.first).id == Self.first)
        transport.release()
        #expect(await unknown.value == .unknownKey)
    }

    @Test("A new key of Apple's is found at once with one more request")
    func rotation() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(secondOnly)
        #expect(try await cache.key(Self.second).id == Self.second)
        #expect(transport.requests.count == 2)
        #expect(await code(Self.first) == .keysUnavailable)
    }

    @Test("Unknown keys ask Apple at most once a minute: they are unavailable within it, and unknown after it")
    func throttle() async throws {
        _ = try await cache.key(Self.first)
        #expect(await code("random-1") == .unknownKey)
        #expect(transport.requests.count == 2)
        for moment in [0.0, 1, 30, 59.9] {
            clock.advance(by: moment == 0 ? 0 : moment - clock.now.timeIntervalSince1970 + Double(TestClaims.issuedAt))
            #expect(await code("random-2") == .keysUnavailable)
        }
        #expect(transport.requests.count == 2)
        #expect(try await cache.key(Self.first).id == Self.first)
        clock.advance(by: 0.1)
        #expect(await code("random-2") == .unknownKey)
        #expect(transport.requests.count == 3)
    }

    @Test("A key name that Apple's answer lacks stays unknown for a minute, and other names are unavailable until then")
    func sameName() async throws {
        _ = try await cache.key(Self.first)
        #expect(await code("invented") == .unknownKey)
        clock.advance(by: 59)
        #expect(await code("invented") == .unknownKey)
        let other = await error("other")
        #expect(other?.code == .keysUnavailable && other?.isAboutUnknownKeyName == true)
        #expect(transport.requests.count == 2)
        // Apple has a new key since: whoever comes again gets it.
        transport.answer(secondOnly)
        #expect(await code(Self.second) == .keysUnavailable)
        clock.advance(by: 1)
        #expect(await code(Self.second) == nil)
        // While Apple cannot be asked nothing is said of any name, and that is nobody's fault.
        clock.advance(by: 60)
        transport.answer(.status(500))
        let failed = await error("invented")
        #expect(failed?.code == .keysUnavailable && failed?.isAboutUnknownKeyName == false)
        #expect(await code("invented") == .keysUnavailable)
    }

    @Test("Many unknown keys at once make one request")
    func manyUnknown() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(.held(then: firstOnly))
        await withTaskGroup(of: AppleIDError.Code?.self) { group in
            for number in 0..<200 {
                group.addTask { await code(KeyID("random-\(number)")) }
            }
            await transport.waitForRequests(2)
            transport.release()
            for await code in group {
                // A caller before the answer was told that the key is unknown, one after it that it is too soon.
                #expect(code == .unknownKey || code == .keysUnavailable)
            }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("After an hour the set is refreshed in the background, and serves meanwhile")
    func hourly() async throws {
        _ = try await cache.key(Self.first)
        clock.advance(by: 3_600)
        _ = try await cache.key(Self.first)
        #expect(transport.requests.count == 1)
        clock.advance(by: 1)
        transport.answer(.held(then: secondOnly))
        #expect(try await cache.key(Self.first).id == Self.first)
        #expect(try await cache.key(Self.first).id == Self.first)
        await transport.waitForRequests(2)
        #expect(try await cache.key(Self.first).id == Self.first)
        // A caller that needs a key that is not there joins the request.
        let joined = Task { try await cache.key(Self.second).id }
        transport.release()
        #expect(try await joined.value == Self.second)
        #expect(transport.requests.count == 2)
    }

    @Test("A background refresh fetches an old set again, leaves a young set alone, and never fetches the first one")
    func quiet() async throws {
        cache.refreshIfOld()
        #expect(transport.requests.isEmpty)
        _ = try await cache.key(Self.first)
        cache.refreshIfOld()
        #expect(transport.requests.count == 1)
        clock.advance(by: 3_601)
        transport.answer(secondOnly)
        cache.refreshIfOld()
        await transport.waitForRequests(2)
    }

    static let failures: [TestTransport.Answer] = [
        .status(500), .status(503, #"{"keys":[]}"#), .status(403, "<html>Forbidden</html>"),
        .status(200, "<html>Welcome</html>"),
        .status(200, ""), .status(200, "{}"), .status(200, #"{"keys":[]}"#), .status(200, #"{"keys":[{"kty":"RSA"}]}"#),
        .status(301), .status(429), .failure(TestTransport.Lost()), .failure(CancellationError()),
    ]

    @Test("If Apple answers without keys, the last good set stays", arguments: failures.indices)
    func failing(index: Int) async throws {
        _ = try await cache.key(Self.first)
        transport.answer(Self.failures[index])
        #expect(await code(Self.second) == .keysUnavailable)
        #expect(transport.requests.count == 2)
        #expect(try await cache.key(Self.first).id == Self.first)
        clock.advance(by: 7 * 86_400)
        #expect(try await cache.key(Self.first).id == Self.first)
    }

    @Test(
        "Without a key set a failure is not an unknown key, and Apple is asked again after five seconds",
        arguments: failures.indices)
    func failingAtStart(index: Int) async throws {
        transport.answer(Self.failures[index])
        #expect(await code(Self.first) == .keysUnavailable)
        #expect(await code(Self.first) == .keysUnavailable)
        #expect(transport.requests.count == 1)
        transport.answer(firstOnly)
        clock.advance(by: 5)
        #expect(try await cache.key(Self.first).id == Self.first)
        #expect(transport.requests.count == 2)
    }

    @Test("While Apple fails, an old set is requested once a minute, and serves for at most seven days")
    func outage() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(.status(500))
        clock.advance(by: 3_601)
        _ = try await cache.key(Self.first)
        await transport.waitForRequests(2)
        while cache.isWorking {
            try Task.checkCancellation()
            await Task.yield()
        }
        _ = try await cache.key(Self.first)
        clock.advance(by: 59)
        _ = try await cache.key(Self.first)
        #expect(transport.requests.count == 2)
        clock.advance(by: 7 * 86_400 - 3_660)
        _ = try await cache.key(Self.first)
        await transport.waitForRequests(3)
        clock.advance(by: 1)
        #expect(await code(Self.first) == .keysUnavailable)
        transport.answer(firstOnly)
        clock.advance(by: 5)
        #expect(try await cache.key(Self.first).id == Self.first)
    }

    @Test("A clock that is put back does not make a set fresh for ever")
    func clockPutBack() async throws {
        _ = try await cache.key(Self.first)
        clock.advance(by: -86_400)
        #expect(try await cache.key(Self.first).id == Self.first)
        await transport.waitForRequests(2)
    }

    @Test("A clock that is put back while Apple fails does not make a set serve for ever either")
    func clockPutBackWhileAppleFails() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(.status(500))
        clock.advance(by: -30 * 86_400)
        #expect(try await cache.key(Self.first).id == Self.first)
        await transport.waitForRequests(2)
        while cache.isWorking {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: 6 * 86_400)
        #expect(try await cache.key(Self.first).id == Self.first)
        while cache.isWorking {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: 2 * 86_400)
        #expect(await code(Self.first) == .keysUnavailable)
    }

    @Test("One waiting caller that is cancelled does not disturb the others, nor the request")
    func cancellation() async throws {
        transport.answer(.held(then: firstOnly))
        let patient = Task { try await cache.key(Self.first).id }
        let cancelled = Task { await code(Self.first) }
        await transport.waitForRequests(1)
        cancelled.cancel()
        #expect(await cancelled.value == .keysUnavailable)
        transport.release()
        #expect(try await patient.value == Self.first)
        #expect(transport.requests.count == 1)
    }

    @Test("The caller that began the request may be cancelled too")
    func firstCancelled() async throws {
        transport.answer(.held(then: firstOnly))
        let first = Task { await code(Self.first) }
        await transport.waitForRequests(1)
        let second = Task { try await cache.key(Self.first).id }
        first.cancel()
        #expect(await first.value == .keysUnavailable)
        transport.release()
        #expect(try await second.value == Self.first)
        #expect(transport.requests.count == 1)
    }

    @Test("A caller cancelled before it asks gets a known key, and does not hang for another")
    func alreadyCancelled() async throws {
        _ = try await cache.key(Self.first)
        transport.answer(.held(then: firstOnly))
        let task = Task {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            return (await code(Self.first), await code(Self.second))
        }
        let codes = await task.value
        #expect(codes.0 == nil)
        #expect(codes.1 == .keysUnavailable)
        await transport.waitForRequests(2)
        transport.release()
    }

    private func code(_ id: KeyID) async -> AppleIDError.Code? { await error(id)?.code }

    private func error(_ id: KeyID) async -> AppleIDError? {
        do throws(AppleIDError) {
            _ = try await cache.key(id)
            return nil
        } catch {
            return error
        }
    }
}
