import AccountSQL
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
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let id = try await house.order(grant.refreshToken)
        try await house.outbox.drain()
        try await house.outbox.drain()
        let entry = try await house.entry(id)
        #expect(entry.state == .done && entry.sealed == nil && entry.attempts == 1)
        #expect(house.apple.count(of: "/auth/revoke") == 1)
        #expect(try await house.isRevoked(grant))
    }

    @Test("goes on trying while Apple does not answer, less and less often, and reaches Apple in the end")
    func outage() async throws {
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let id = try await house.order(grant.refreshToken)
        house.apple.fail("/auth/revoke", with: .status(503))
        var rests: [Duration] = []
        for _ in 0..<12 {
            try await house.outbox.drain()
            let entry = try await house.entry(id)
            #expect(entry.state == .waiting && entry.failure == "apple_unavailable" && entry.sealed != nil)
            let rest = entry.nextAttemptAt - house.now
            rests.append(rest)
            try await house.outbox.drain()
            #expect(try await house.entry(id).attempts == entry.attempts)
            house.clock.advance(by: rest + .seconds(1))
        }
        #expect(rests[0] <= .seconds(30) && rests[11] >= .hours(3) && rests[11] <= .hours(6))
        house.apple.fail("/auth/revoke", with: nil)
        try await house.outbox.drain()
        #expect(try await house.entry(id).state == .done)
        #expect(try await house.isRevoked(grant))
    }

    @Test("parks a revocation after seven days, and does it when somebody says so")
    func sevenDays() async throws {
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let id = try await house.order(grant.refreshToken)
        house.apple.fail("/auth/revoke", with: .unreachable)
        try await house.outbox.drain()
        house.clock.advance(by: .days(7))
        try await house.outbox.drain()
        let parked = try await house.entry(id)
        #expect(parked.state == .parked && parked.failure == "apple_unavailable" && parked.sealed != nil)
        house.clock.advance(by: .days(30))
        try await house.outbox.drain()
        #expect(try await house.entry(id).attempts == parked.attempts)

        house.apple.fail("/auth/revoke", with: nil)
        #expect(try await house.store.retryParked(at: house.now, by: .operator) == 1)
        try await house.outbox.drain()
        #expect(try await house.isRevoked(grant))
    }

    @Test("parks a revocation at once where our own configuration is wrong")
    func configuration() async throws {
        let house = try await OutboxHouse(clients: [])
        let id = try await house.order(RefreshToken("a token of a client that is not configured any more"))
        try await house.outbox.drain()
        let entry = try await house.entry(id)
        #expect(entry.state == .parked && entry.failure == "unknown_client" && entry.sealed != nil)
    }

    @Test("parks a revocation whose token does not open, and goes on with the others")
    func otherKeys() async throws {
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let other = Seal(.appleRefreshToken, keyRing: try KeyRing(parsing: KeyRingTests.two))
        let broken = try await house.order(grant.refreshToken, with: other)
        let good = try await house.order(grant.refreshToken)
        try await house.outbox.drain()
        #expect(try await house.entry(broken).state == .parked)
        #expect(try await house.entry(broken).failure == "configuration")
        #expect(try await house.entry(good).state == .done)
    }

    @Test("leaves what a newer program has written to that program")
    func unknownKind() async throws {
        let house = try await OutboxHouse()
        let id = OutboxID(at: house.now, randomness: Array(repeating: 1, count: 10))
        try await house.store.insertIntoOutbox(
            OutboxEntry(
                id: id, kind: OutboxEntry.Kind(rawValue: "pigeon"), clientID: nil, sealed: nil, personHash: nil,
                createdAt: house.now))
        try await house.outbox.drain()
        #expect(try await house.entry(id).state == .waiting)
    }

    @Test("takes up what a server that was killed had begun")
    func killed() async throws {
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let id = try await house.order(grant.refreshToken)
        let lease = OutboxLease(owner: "killed", at: house.now, until: house.now + Outbox.leaseTime, limit: 1)
        #expect(try await house.store.leaseOutbox(lease).count == 1)
        try await house.outbox.drain()
        #expect(try await house.entry(id).state == .waiting)
        house.clock.advance(by: Outbox.leaseTime)
        try await house.outbox.drain()
        #expect(try await house.entry(id).state == .done)
        #expect(try await house.isRevoked(grant))
    }

    @Test("works as a service, woken by a signal, and ends with a shutdown")
    func service() async throws {
        let house = try await OutboxHouse()
        let grant = try await house.grant()
        let id = try await house.order(grant.refreshToken)
        try await withThrowingTaskGroup { group in
            let services = ServiceGroup(
                services: [house.domain.finishing, house.outbox], logger: Logger(label: "test"))
            group.addTask { try await services.run() }
            while try await house.entry(id).state != .done {
                try Task.checkCancellation()
                await Task.yield()
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        #expect(try await house.isRevoked(grant))
    }
}

@Suite("Rests between attempts")
struct OutboxBackoffTests {
    @Test("double up to a limit, and a random half at most is left out")
    func delays() {
        let backoff = OutboxBackoff(first: .seconds(30), longest: .hours(6))
        #expect(backoff.delay(after: 0, random: 0) == .seconds(30))
        #expect(backoff.delay(after: 1, random: 0) == .seconds(30))
        #expect(backoff.delay(after: 2, random: 0) == .seconds(60))
        #expect(backoff.delay(after: 2, random: .max) == .seconds(30))
        #expect(backoff.delay(after: 1_000_000, random: 0) == .hours(6))
    }
}
