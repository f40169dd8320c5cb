import AppleIDTypes
import Foundation
import Logging
import TaskSignals
import Testing

@testable import AppleID

@Suite("Archive of the key set")
struct KeySetArchiveTests {
    /// A store that holds one set, and can fail.
    final class Shelf: Sendable {
        struct Broken: Error {}

        let kept: Lock<(json: [UInt8], fetchedAt: Date)?>
        let isBroken: Bool
        private let saves: AsyncStream<Date>
        private let saved: AsyncStream<Date>.Continuation

        init(_ kept: (json: [UInt8], fetchedAt: Date)? = nil, isBroken: Bool = false) {
            self.kept = Lock(kept)
            self.isBroken = isBroken
            (saves, saved) = AsyncStream.makeStream()
        }

        var archive: KeySetArchive {
            KeySetArchive(
                load: {
                    if self.isBroken { throw Broken() }
                    return self.kept.withLock { $0 }
                },
                save: { json, fetchedAt in
                    defer { self.saved.yield(fetchedAt) }
                    if self.isBroken { throw Broken() }
                    self.kept.withLock { $0 = (json, fetchedAt) }
                })
        }

        func nextSave() async -> Date? {
            for await date in saves { return date }
            return nil
        }
    }

    let clock = TestClock()
    let transport = TestTransport(.status(500))

    @Test("A restart during Apple's outage verifies with the archived set")
    func outage() async throws {
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(-6 * 86_400)))
        #expect(try await cache(shelf).key("TESTKEY001").id == "TESTKEY001")
        // It is old, so Apple is asked, but nobody waits for that.
        await transport.waitForRequests(1)
    }

    @Test("A young archived set spares the request")
    func young() async throws {
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(-600)))
        #expect(try await cache(shelf).key("TESTKEY001").id == "TESTKEY001")
        #expect(transport.requests.isEmpty)
    }

    @Test("A slow Apple does not delay what the archive can serve")
    func slow() async throws {
        transport.answer(.held(then: .status(500)))
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(-86_400)))
        #expect(try await cache(shelf).key("TESTKEY001").id == "TESTKEY001")
        await transport.waitForRequests(1)
        transport.release()
    }

    @Test("After seven days an archived set serves no longer")
    func tooOld() async throws {
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(-7 * 86_400 - 1)))
        await #expect(throws: AppleIDError(.keysUnavailable, "")) { try await cache(shelf).key("TESTKEY001") }
    }

    @Test("A key that the archived set lacks is asked for at once")
    func missing() async throws {
        transport.answer(.ok(try TestSigner.other.keySetJSON()))
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(-600)))
        #expect(try await cache(shelf).key("TESTKEY002").id == "TESTKEY002")
        #expect(transport.requests.count == 1)
    }

    @Test("Apple's answer is archived unchanged, with its time")
    func saving() async throws {
        let json = try TestSigner.shared.keySetJSON()
        transport.answer(.ok(json))
        let shelf = Shelf()
        _ = try await cache(shelf).key("TESTKEY001")
        #expect(await shelf.nextSave() == clock.now)
        transport.answer(.status(500))
        #expect(try await cache(shelf).key("TESTKEY001").id == "TESTKEY001")
    }

    @Test("An answer without keys is not archived")
    func notSaving() async throws {
        let json = try TestSigner.shared.keySetJSON()
        let shelf = Shelf((json, clock.now.addingTimeInterval(-86_400)))
        transport.answer(.status(200, #"{"keys":[]}"#))
        _ = try await cache(shelf).key("TESTKEY001")
        await transport.waitForRequests(1)
        #expect(shelf.kept.withLock { $0?.json } == json)
    }

    @Test("A failing archive, or one with broken content, does not stop the fetch from Apple")
    func broken() async throws {
        transport.answer(.ok(try TestSigner.shared.keySetJSON()))
        #expect(try await cache(Shelf(isBroken: true)).key("TESTKEY001").id == "TESTKEY001")
        #expect(try await cache(Shelf((Array("{}".utf8), clock.now))).key("TESTKEY001").id == "TESTKEY001")
    }

    @Test("An archive that never answers delays the first key up to a limit, and its late answer is ignored")
    func never() async throws {
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let late = try TestSigner.other.keySetJSON()
        let now = clock.now
        let archive = KeySetArchive(
            load: {
                for await _ in answers { break }
                defer { end.yield() }
                return (late, now)
            }, save: { _, _ in })
        let keySet = try KeySet<ApplePublicKey>(TestSigner.shared.keySetJSON(), fetchedAt: now)
        let keys = FetchedKeys(
            of: "apple", lifetime: .apple, archive: archive, archiveLimit: .milliseconds(20), now: { now },
            logger: Logger(label: "test")
        ) { () async throws(KeySetError) in keySet }
        #expect(try await keys.key("TESTKEY001").id == "TESTKEY001")
        answer.yield()
        for await _ in ends { break }
        #expect(keys.cachedKey("TESTKEY002") == nil)
        #expect(keys.cachedKey("TESTKEY001") != nil)
    }

    @Test("A set from the future serves for seven days from now, and is refreshed meanwhile")
    func future() async throws {
        let shelf = Shelf((try TestSigner.shared.keySetJSON(), clock.now.addingTimeInterval(100 * 86_400)))
        let cache = cache(shelf)
        #expect(try await cache.key("TESTKEY001").id == "TESTKEY001")
        await transport.waitForRequests(1)
        while cache.isWorking {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: 7 * 86_400 - 3_601)
        #expect(try await cache.key("TESTKEY001").id == "TESTKEY001")
        await transport.waitForRequests(2)
        while cache.isWorking {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: 1)
        await #expect(throws: AppleIDError(.keysUnavailable, "")) { try await cache.key("TESTKEY001") }
    }

    private func cache(_ shelf: Shelf) -> KeyCache {
        KeyCache(
            server: .apple, transport: transport, archive: shelf.archive, environment: clock.environment,
            logger: Logger(label: "test"))
    }
}
