import AccountDatabase
import AccountEngines
import AppleID
import Crypto
import Testing

@testable import AccountService

/// A server of the version before signed refresh tokens: what its refresh did, statement by statement.
struct PreviousServer: Sendable {
    enum Refusal: Error { case invalid, reused }

    let database: any SQLDatabase
    let clock: Clock
    let key: SymmetricKey

    init(beside system: SessionSystem) {
        database = system.database
        clock = system.clock
        key = system.domain.serverKeys.refreshTokenKeys.former
    }

    /// Makes a session one that this server has opened.
    /// - Returns: its refresh token.
    func adopt(_ session: SessionID) async throws -> String {
        let token = SessionSecret(session: session, secret: clock.environment.randomBytes(32))
        _ = try await database.write { connection in
            try connection.execute(
                "UPDATE sessions SET secret_hash = ?2, has_signed_token = NULL WHERE id = ?1",
                [.id(session), .hash(token.hash)])
        }
        return token.text
    }

    /// - Returns: the successor.
    func refresh(_ text: String) async throws -> String {
        guard let presented = SessionSecret(received: text) else { throw Refusal.invalid }
        let successor = successor(of: presented)
        let now = Timestamp(clock.environment.now())
        let (rotated, row) = try await database.write { connection in
            let rotated = try connection.execute(
                """
                UPDATE sessions SET previous_hash = secret_hash, secret_hash = ?3, generation = generation + 1,
                    rotated_at = ?4, last_used_at = ?4,
                    expires_at = CASE WHEN created_at + ?6 < ?5 THEN created_at + ?6 ELSE ?5 END,
                    device_name = coalesce(?7, device_name)
                WHERE id = ?1 AND secret_hash = ?2 AND kind = 'tokens' AND ended_at IS NULL AND expires_at > ?4
                    AND NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = sessions.account_id
                        AND a.disabled_at IS NOT NULL)
                """,
                [
                    .id(presented.session), .hash(presented.hash), .hash(successor.hash), .time(now),
                    .time(now + .days(30)), .int64((Timestamp(microseconds: 0) + .days(180)).microseconds), .null,
                ])
            let row = try connection.first(
                """
                SELECT secret_hash, generation, previous_hash, rotated_at FROM sessions
                WHERE id = ?1 AND ended_at IS NULL
                """, [.id(presented.session)]
            ) { columns in
                try (
                    current: TokenHash(bytes: columns.bytes()), generation: columns.int64(),
                    previous: columns.optionalBytes().map(TokenHash.init(bytes:)),
                    rotatedAt: columns.optionalInt64().map(Timestamp.init(microseconds:))
                )
            }
            return (rotated, row)
        }
        guard let row else { throw Refusal.invalid }
        if rotated > 0 { return successor.text }
        if let rotatedAt = row.rotatedAt, row.previous == presented.hash, now - rotatedAt <= .seconds(30),
            row.current == successor.hash
        {
            return successor.text
        }
        var descendant = presented
        for _ in 0..<row.generation {
            descendant = self.successor(of: descendant)
            if descendant.hash == row.current { throw Refusal.reused }
        }
        throw Refusal.invalid
    }

    private func successor(of token: SessionSecret) -> SessionSecret {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array(token.session.rawValue.utf8))
        code.update(data: token.bytes)
        return SessionSecret(session: token.session, secret: Array(code.finalize()))
    }
}

@Suite("A refresh token beside a server of the previous version", .eachEngine)
struct PreviousVersionTests {
    @Test("can be exchanged at either server in turn, and the session stays alive")
    func mixed() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        var token = try await system.tokens().refreshToken
        for _ in 0..<3 {
            token = try await previous.refresh(token)
            #expect(!token.contains(".siw2"))
            token = try await previous.refresh(token)
            token = try await system.sessions.refresh(token).refreshToken
            #expect(token.contains(".siw2"))
            token = try await system.sessions.refresh(token).refreshToken
        }
        let stored = try #require(await system.store.session(try session(of: token)))
        #expect(stored.generation == 12 && stored.ended == nil)
    }

    @Test("whose answer was lost at either server gets the same successor at the newer one")
    func lostAnswer() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let first = try await system.tokens().refreshToken
        let second = try await previous.refresh(first)
        system.clock.advance(.seconds(30))
        #expect(try await system.sessions.refresh(first).refreshToken == second)
        let third = try await system.sessions.refresh(second).refreshToken
        system.clock.advance(.seconds(30))
        #expect(try await system.sessions.refresh(second).refreshToken == third)
    }

    @Test("whose answer was lost at the newer server is refused at the older one, and ends nothing")
    func refusedByPrevious() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let first = try await system.tokens().refreshToken
        let second = try await system.sessions.refresh(first).refreshToken
        await #expect(throws: PreviousServer.Refusal.invalid) { try await previous.refresh(first) }
        #expect(try await system.sessions.refresh(first).refreshToken == second)
        _ = try await previous.refresh(second)
    }

    @Test("of the older form ends the session as an ancestor of the last token, if that has the older form, too")
    func older() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let (opened, _) = try await system.open(.tokens)
        let first = try await previous.adopt(opened.id)
        var last = first
        for _ in 0..<5 { last = try await previous.refresh(last) }
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await system.sessions.refresh(first) }
        #expect(try await system.store.session(opened.id)?.ended?.reason == .refreshTokenReused)
    }

    @Test("of the older form is invalid as an ancestor of a signed one, and ends the session as its parent")
    func olderThanSigned() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let (opened, _) = try await system.open(.tokens)
        let first = try await previous.adopt(opened.id)
        let second = try await previous.refresh(first)
        let third = try await system.sessions.refresh(second)
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(first) }
        #expect(try await system.store.session(opened.id)?.ended == nil)
        _ = try await system.sessions.authenticate(accessToken: third.accessToken)
        system.clock.advance(.seconds(31))
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await system.sessions.refresh(second) }
    }

    @Test(
        "that is signed ends its session any number of generations later, whichever version exchanged its descendants")
    func signedAncestor() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let first = try await system.tokens().refreshToken
        let second = try await system.sessions.refresh(first).refreshToken
        _ = try await system.sessions.refresh(try await previous.refresh(second))
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await system.sessions.refresh(first) }
    }

    @Test("of the older form is searched among ancestors ten times a second, and a thousand exchanges back")
    func searches() async throws {
        let system = try await SessionSystem()
        let previous = PreviousServer(beside: system)
        let (opened, _) = try await system.open(.tokens)
        let first = try await previous.adopt(opened.id)
        let second = try await previous.refresh(first)
        var last = second
        for _ in 0..<1_000 { last = try await previous.refresh(last) }
        // Too long ago to be found.
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(first) }
        for byte in UInt8(1)...9 {
            let guess = SessionSecret(session: opened.id, secret: Array(repeating: byte, count: 32)).text
            await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(guess) }
        }
        // The eleventh of this second.
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(second) }
        #expect(try await system.store.session(opened.id)?.ended == nil)
        system.clock.advance(.seconds(1))
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await system.sessions.refresh(second) }
    }

    private func session(of token: String) throws -> SessionID {
        try #require(SessionSecret(received: token)).session
    }
}
