import AccountDatabase
import AccountSQLite
import Testing

@testable import AccountService

@Suite("A rotation of the signing key")
struct KeyRotationTests {
    private func rotation(_ system: SessionSystem, ring: String = KeyRingTests.one) throws -> KeyRotation {
        KeyRotation(
            store: system.store, keyRing: try KeyRing(parsing: ring), environment: system.clock.environment)
    }

    @Test("signs with the key that was published before, on every server, and refuses no token of the old key")
    func rotate() async throws {
        let system = try await SessionSystem()
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        let published = await system.domain.serverKeys.publicKeys().map(\.id)
        system.clock.advance(KeyRotation.minimumPublication)
        let outcome = try await rotation(system).rotate()
        #expect(Set(published) == [outcome.retired, outcome.active])

        // The other server has not looked yet: it signs with the old key, and knows the new one.
        let late = try await tokens(of: other, system)
        _ = try await system.sessions.authenticate(accessToken: late.accessToken)
        try await system.domain.serverKeys.refreshIfDue()
        #expect(system.domain.serverKeys.activeSigningKey.id == outcome.active)
        let new = try await system.tokens()
        for tokens in [late, new] {
            _ = try await other.sessions.authenticate(accessToken: tokens.accessToken)
            _ = try await system.sessions.authenticate(accessToken: tokens.accessToken)
        }
        #expect(Set(await other.serverKeys.publicKeys().map(\.id)) == [outcome.retired, outcome.active, outcome.next])
    }

    @Test("waits until other services can know the next key, unless the operator forces it")
    func tooYoung() async throws {
        let system = try await SessionSystem()
        await #expect(throws: AccountError(.keyTooYoung, "")) { try await rotation(system).rotate() }
        let first = try await rotation(system).rotate(atOnce: true)
        system.clock.advance(KeyRotation.minimumPublication - .seconds(1))
        await #expect(throws: AccountError(.keyTooYoung, "")) { try await rotation(system).rotate() }
        system.clock.advance(.seconds(1))
        #expect(try await rotation(system).rotate().active == first.next)
    }

    @Test("that follows another one at once refuses no token: a server looks unknown keys up")
    func twice() async throws {
        let system = try await SessionSystem()
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        for _ in 0..<2 { _ = try await rotation(system).rotate(atOnce: true) }
        system.clock.advance(.seconds(2))
        try await system.domain.serverKeys.refreshIfDue()
        let new = try await system.tokens()
        _ = try await other.sessions.authenticate(accessToken: new.accessToken)
    }

    @Test("is seen by a server whose clock was set back")
    func clockSetBack() async throws {
        let system = try await SessionSystem()
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        let outcome = try await rotation(system).rotate(atOnce: true)
        system.clock.advance(.days(-1))
        try await other.serverKeys.refreshIfDue()
        #expect(other.serverKeys.activeSigningKey.id == outcome.active)
    }

    @Test("keeps the old key an hour, which is longer than any token that it signed")
    func retired() async throws {
        let system = try await SessionSystem()
        let outcome = try await rotation(system).rotate(atOnce: true)
        system.clock.advance(ServerKeys.retiredLifetime - .seconds(1))
        #expect(await system.domain.serverKeys.publicKeys().map(\.id).contains(outcome.retired))
        system.clock.advance(.seconds(2))
        #expect(await !system.domain.serverKeys.publicKeys().map(\.id).contains(outcome.retired))
        await system.domain.sweeper.sweep()
        #expect(try await system.store.serverKeys().map(\.id).contains(outcome.retired) == false)
    }

    @Test("is refused with a ring that does not open the keys, and without keys")
    func wrongRing() async throws {
        let system = try await SessionSystem()
        let stranger = KeyRing.newText(id: "other", randomness: Array(repeating: 9, count: 32))
        await #expect(throws: AccountError(.configuration, "")) {
            try await rotation(system, ring: stranger).rotate(atOnce: true)
        }
        let empty = KeyRotation(
            store: try await AccountTransactions.open(.inMemory), keyRing: try KeyRing(parsing: KeyRingTests.one))
        await #expect(throws: AccountError(.configuration, "")) { try await empty.rotate(atOnce: true) }
    }

    private func tokens(of domain: AccountDomain, _ system: SessionSystem) async throws -> SessionTokens {
        let (session, secret) = try await system.open(.tokens)
        return try domain.sessions.tokens(for: session, refreshToken: secret)
    }
}
