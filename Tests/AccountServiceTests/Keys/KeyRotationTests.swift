import AccountSQLite
import Testing

@testable import AccountService

@Suite("A rotation of the signing key")
struct KeyRotationTests {
    private func rotation(_ house: SessionHouse, ring: String = KeyRingTests.one) throws -> KeyRotation {
        KeyRotation(
            store: house.store, keyRing: try KeyRing(parsing: ring), environment: house.clock.environment)
    }

    @Test("makes the key sign that was published before, on every server, and refuses no token of the old one")
    func rotate() async throws {
        let house = try await SessionHouse()
        let other = try await SessionHouse.open(house.store, ring: KeyRingTests.one, clock: house.clock)
        let published = await house.domain.serverKeys.publicKeys().map(\.id)
        house.clock.advance(KeyRotation.leastPublication)
        let outcome = try await rotation(house).rotate()
        #expect(Set(published) == [outcome.retired, outcome.active])

        // The other server has not looked yet: it signs with the old key, and knows the new one.
        let late = try await tokens(of: other, house)
        _ = try await house.sessions.authenticate(accessToken: late.accessToken)
        try await house.domain.serverKeys.refreshIfDue()
        #expect(house.domain.serverKeys.activeSigningKey.id == outcome.active)
        let new = try await house.tokens()
        for tokens in [late, new] {
            _ = try await other.sessions.authenticate(accessToken: tokens.accessToken)
            _ = try await house.sessions.authenticate(accessToken: tokens.accessToken)
        }
        #expect(Set(await other.serverKeys.publicKeys().map(\.id)) == [outcome.retired, outcome.active, outcome.next])
    }

    @Test("waits until other services can know the next key, unless it must be at once")
    func tooYoung() async throws {
        let house = try await SessionHouse()
        await #expect(throws: AccountError(.keyTooYoung, "")) { try await rotation(house).rotate() }
        let first = try await rotation(house).rotate(atOnce: true)
        house.clock.advance(KeyRotation.leastPublication - .seconds(1))
        await #expect(throws: AccountError(.keyTooYoung, "")) { try await rotation(house).rotate() }
        house.clock.advance(.seconds(1))
        #expect(try await rotation(house).rotate().active == first.next)
    }

    @Test("that another one follows at once refuses no token either: an unknown key is looked for")
    func twice() async throws {
        let house = try await SessionHouse()
        let other = try await SessionHouse.open(house.store, ring: KeyRingTests.one, clock: house.clock)
        for _ in 0..<2 { _ = try await rotation(house).rotate(atOnce: true) }
        house.clock.advance(.seconds(2))
        try await house.domain.serverKeys.refreshIfDue()
        let new = try await house.tokens()
        _ = try await other.sessions.authenticate(accessToken: new.accessToken)
    }

    @Test("leaves the old key an hour, which outlives every token that it signed")
    func retired() async throws {
        let house = try await SessionHouse()
        let outcome = try await rotation(house).rotate(atOnce: true)
        house.clock.advance(ServerKeys.retiredLifetime - .seconds(1))
        #expect(await house.domain.serverKeys.publicKeys().map(\.id).contains(outcome.retired))
        house.clock.advance(.seconds(2))
        #expect(await !house.domain.serverKeys.publicKeys().map(\.id).contains(outcome.retired))
        await house.domain.sweeper.sweep()
        #expect(try await house.store.serverKeys().map(\.id).contains(outcome.retired) == false)
    }

    @Test("is refused with a ring that does not open the keys, and where there are none")
    func wrongRing() async throws {
        let house = try await SessionHouse()
        let stranger = KeyRing.newText(id: "other", randomness: Array(repeating: 9, count: 32))
        await #expect(throws: AccountError(.configuration, "")) {
            try await rotation(house, ring: stranger).rotate(atOnce: true)
        }
        let empty = KeyRotation(
            store: try await SQLiteAccountStore.inMemory(), keyRing: try KeyRing(parsing: KeyRingTests.one))
        await #expect(throws: AccountError(.configuration, "")) { try await empty.rotate(atOnce: true) }
    }

    private func tokens(of domain: AccountDomain, _ house: SessionHouse) async throws -> SessionTokens {
        let (session, secret) = try await house.open(.tokens)
        return try domain.sessions.tokens(for: session, refreshToken: secret)
    }
}
