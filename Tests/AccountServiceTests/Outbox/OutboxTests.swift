import AccountDatabase
import AppleID
import AppleIDTesting
import AppleIDTypes
import Logging
import ServiceLifecycle
import Testing

@testable import AccountService

@Suite("The outbox")
struct OutboxTests {
    @Test("revokes at Apple, once, and keeps no token afterwards")
    func revokes() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let id = try await system.order(grant.refreshToken)
        try await system.outbox.drain()
        try await system.outbox.drain()
        let entry = try await system.entry(id)
        #expect(entry.state == .done && entry.sealed == nil && entry.attempts == 1)
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.isRevoked(grant))
    }

    @Test("retries at growing intervals while Apple does not answer, and reaches Apple in the end")
    func outage() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let id = try await system.order(grant.refreshToken)
        system.apple.fail("/auth/revoke", with: .status(503))
        var rests: [Duration] = []
        for _ in 0..<12 {
            try await system.outbox.drain()
            let entry = try await system.entry(id)
            #expect(entry.state == .waiting && entry.failure == "apple_unavailable" && entry.sealed != nil)
            let rest = entry.nextAttemptAt - system.now
            rests.append(rest)
            try await system.outbox.drain()
            #expect(try await system.entry(id).attempts == entry.attempts)
            system.clock.advance(by: rest + .seconds(1))
        }
        #expect(rests[0] <= .seconds(30) && rests[11] >= .hours(3) && rests[11] <= .hours(6))
        system.apple.fail("/auth/revoke", with: nil)
        try await system.outbox.drain()
        #expect(try await system.entry(id).state == .done)
        #expect(try await system.isRevoked(grant))
    }

    @Test("parks a revocation after seven days, and retries it when an operator asks for it")
    func sevenDays() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let id = try await system.order(grant.refreshToken)
        system.apple.fail("/auth/revoke", with: .unreachable)
        try await system.outbox.drain()
        system.clock.advance(by: .days(7))
        try await system.outbox.drain()
        let parked = try await system.entry(id)
        #expect(parked.state == .parked && parked.failure == "apple_unavailable" && parked.sealed != nil)
        system.clock.advance(by: .days(30))
        try await system.outbox.drain()
        #expect(try await system.entry(id).attempts == parked.attempts)

        system.apple.fail("/auth/revoke", with: nil)
        #expect(try await system.store.retryParked(at: system.now, by: .operator) == 1)
        try await system.outbox.drain()
        #expect(try await system.isRevoked(grant))
    }

    @Test("parks a revocation at once if this service's own configuration is wrong")
    func configuration() async throws {
        let system = try await OutboxSystem(clients: [])
        let id = try await system.order(RefreshToken("a token of a client that is not configured any more"))
        try await system.outbox.drain()
        let entry = try await system.entry(id)
        #expect(entry.state == .parked && entry.failure == "unknown_client" && entry.sealed != nil)
    }

    @Test("parks a revocation whose token can't be opened, and continues with the others")
    func otherKeys() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let other = Seal(.appleRefreshToken, keyRing: try KeyRing(parsing: KeyRingTests.two))
        let broken = try await system.order(grant.refreshToken, with: other)
        let good = try await system.order(grant.refreshToken)
        try await system.outbox.drain()
        #expect(try await system.entry(broken).state == .parked)
        #expect(try await system.entry(broken).failure == "configuration")
        #expect(try await system.entry(good).state == .done)
    }

    @Test("leaves entries of an unknown kind to a newer version")
    func unknownKind() async throws {
        let system = try await OutboxSystem()
        let id = OutboxID(at: system.now, randomness: Array(repeating: 1, count: 10))
        try await system.store.insertIntoOutbox(
            OutboxEntry(
                id: id, kind: OutboxEntry.Kind(rawValue: "pigeon"), clientID: nil, sealed: nil, personHash: nil,
                createdAt: system.now))
        try await system.outbox.drain()
        #expect(try await system.entry(id).state == .waiting)
    }

    @Test("takes over an entry of a server that was killed")
    func killed() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let id = try await system.order(grant.refreshToken)
        let lease = QueueLease(owner: "killed", at: system.now, until: system.now + Outbox.leaseTime, limit: 1)
        #expect(try await system.store.leaseOutbox(lease, on: .others).count == 1)
        try await system.outbox.drain()
        #expect(try await system.entry(id).state == .waiting)
        system.clock.advance(by: Outbox.leaseTime)
        try await system.outbox.drain()
        #expect(try await system.entry(id).state == .done)
        #expect(try await system.isRevoked(grant))
    }

    @Test("works as a service, woken by a signal, and ends with a shutdown")
    func service() async throws {
        let system = try await OutboxSystem()
        let grant = try await system.grant()
        let id = try await system.order(grant.refreshToken)
        try await withThrowingTaskGroup { group in
            let services = ServiceGroup(
                services: [system.domain.finishing, system.outbox], logger: Logger(label: "test"))
            group.addTask { try await services.run() }
            while try await system.entry(id).state != .done {
                try Task.checkCancellation()
                await Task.yield()
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        #expect(try await system.isRevoked(grant))
    }
}
