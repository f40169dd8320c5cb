import AppleIDTypes
import HummingbirdTesting
import TaskSignals
import Testing

@testable import AppleIDEmulator

@Suite("Notifications to several addresses", .timeLimit(.minutes(1)))
struct NotificationWorkerTests {
    private static let silent = "https://silent.example/notifications"
    private static let other = "https://other.example/notifications"

    /// Two servers: one takes what comes and says nothing until it is let, the other answers at once.
    private final class Servers: Sendable {
        let (arrivals, arrived) = AsyncStream<String>.makeStream()
        private let (leave, left) = AsyncStream<Void>.makeStream()
        private let broken = Lock(0)

        /// How many attempts were broken off from the other side.
        var brokenOff: Int { broken.withLock { $0 } }

        func answer(_ request: NotificationRequest) async throws -> Int {
            arrived.yield(request.url)
            guard request.url == NotificationWorkerTests.silent else { return 200 }
            for await _ in leave { return 200 }
            broken.withLock { $0 += 1 }
            throw CancellationError()
        }

        func letGo() { left.yield() }
    }

    /// Juice's server is the silent one, Soda's is the other.
    private func emulator(_ servers: Servers) async throws -> TestEmulator {
        var portal = TestPortal.portal
        portal.teams[0].apps[0].notificationURL = Self.silent
        portal.teams[0].apps[2].notificationURL = Self.other
        return try await TestEmulator(portal: portal, deliver: { try await servers.answer($0) })
    }

    @Test("a silent address delays no other address, and gets its notifications in order")
    func silence() async throws {
        let servers = Servers()
        let emulator = try await emulator(servers)
        try await emulator.emulator.application(port: 0).test(.live) { _ in
            var arrivals = servers.arrivals.makeAsyncIterator()
            try await emulator.notify(["type": "email-disabled"])
            #expect(await arrivals.next() == Self.silent)
            // The round in which the first was sent is under way still.
            for _ in 0..<3 {
                try await emulator.notify(["type": "email-enabled"])
                try await emulator.notify(["clientID": "com.example.soda"])
                #expect(await arrivals.next() == Self.other)
            }
            let states = try await emulator.notificationStates
            #expect(states[0] == "sending")
            #expect([states[1], states[3], states[5]] == ["queued", "queued", "queued"], "one after the other")

            servers.letGo()
            #expect(await arrivals.next() == Self.silent)
            let next = try await emulator.notificationStates
            #expect(next[0] == "delivered")
            #expect([next[1], next[3], next[5]] == ["sending", "queued", "queued"])
        }
    }

    @Test("a shutdown cancels an attempt, and its notification waits again")
    func shutdown() async throws {
        let servers = Servers()
        let emulator = try await emulator(servers)
        try await emulator.emulator.application(port: 0).test(.live) { _ in
            try await emulator.notify()
            #expect(await servers.arrivals.first { _ in true } == Self.silent)
        }
        #expect(servers.brokenOff == 1)
        #expect(try await emulator.notificationStates == ["queued"])
    }

    @Test("the number of addresses that are sent to at once is limited")
    func bound() {
        var queue = NotificationQueue(attemptsAtOnce: 2)
        for (id, host) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c")] {
            queue.add(
                OutgoingNotification(
                    id: id, type: .consentRevoked, audience: "x", address: "https://\(host).example", createdAt: 0,
                    claims: .object([]), payload: "", state: .waiting(until: 0)))
        }
        #expect(queue.takeNext(at: 0)?.id == "a1")
        #expect(queue.takeNext(at: 0)?.id == "b1", "a is being written to")
        #expect(queue.takeNext(at: 0)?.id == nil)
        queue.finish("a1", .status(200), at: 0, deliversOnce: false)
        #expect(queue.takeNext(at: 0)?.id == "a2")
        queue.finish("b1", .unanswered("x"), at: 0, deliversOnce: false)
        #expect(queue.takeNext(at: 0)?.id == "c1")
    }
}
