import AccountDatabase
import AccountEngines
import AccountSQLite
import AppleID
import AppleIDTypes
import Logging
import Testing

@testable import AccountService

/// For what never asks Apple: a request is a failure.
struct NoNetwork: AppleTransport {
    struct Unreachable: Error {}

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        throw Unreachable()
    }
}

/// Sessions on a real store, opened by a sign-in record as ``SignIn`` writes it.
struct SessionSystem {
    let clock = Clock()
    /// On the test's engine.
    let database: any SQLDatabase
    let store: AccountTransactions
    let domain: AccountDomain

    init(ring: String = KeyRingTests.one) async throws {
        func store(on database: some SQLDatabase) async throws -> AccountTransactions {
            try await AccountTransactions(on: database)
        }
        database = try await Engine.current.migratedDatabase()
        self.store = try await store(on: database)
        domain = try await Self.open(self.store, ring: ring, clock: clock)
    }

    static func open(_ store: AccountTransactions, ring: String, clock: Clock) async throws -> AccountDomain {
        try await AccountDomain(
            configuration: AccountConfiguration(
                publicURL: try PublicURL("https://example.com"), keyRing: try KeyRing(parsing: ring), webClient: nil,
                nativeClients: []),
            apple: AppleIDClient(clients: [], transport: NoNetwork(), logger: Logger(label: "test")),
            store: store, environment: clock.environment, logger: Logger(label: "test"))
    }

    var sessions: Sessions { domain.sessions }

    /// A new session of a new person.
    func open(_ kind: Session.Kind) async throws -> (session: Session, secret: SessionSecret) {
        let environment = clock.environment
        let now = Timestamp(environment.now())
        let (record, secret) = sessions.prepare(kind, clientID: "com.example.juice", authenticatedAt: now, at: now)
        let outcome = try await store.signIn(
            SignInRecord(
                at: now, used: [],
                person: SignInRecord.Person(
                    team: "TEAM000001", subject: Subject(record.id.rawValue), email: nil, emailVerified: false,
                    isPrivateEmail: false, realUserStatus: nil),
                newAccountID: AccountID(at: now, randomness: environment.randomBytes(10)),
                newIdentityID: IdentityID(at: now, randomness: environment.randomBytes(10)), name: nil,
                openPendingProfile: { _ in nil }, appleToken: nil, session: record, formerSession: nil))
        return (outcome.session, secret)
    }

    func tokens() async throws -> SessionTokens {
        let (session, secret) = try await open(.tokens)
        return try sessions.tokens(for: session, refreshToken: secret)
    }
}

@Suite("An access token")
struct AccessTokenTests {
    @Test("opens its session for ten minutes")
    func lifetime() async throws {
        let system = try await SessionSystem()
        let tokens = try await system.tokens()
        #expect(tokens.expiresIn == .seconds(600))
        _ = try await system.sessions.authenticate(accessToken: tokens.accessToken)
        system.clock.advance(.seconds(599))
        _ = try await system.sessions.authenticate(accessToken: tokens.accessToken)
        system.clock.advance(.seconds(1))
        await #expect(throws: AccountError(.accessTokenExpired, "")) {
            try await system.sessions.authenticate(accessToken: tokens.accessToken)
        }
    }

    @Test("is accepted by a server that did not make it")
    func otherServer() async throws {
        let system = try await SessionSystem()
        let tokens = try await system.tokens()
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        let found = try await other.sessions.authenticate(accessToken: tokens.accessToken)
        #expect(found.session == (try await system.sessions.authenticate(accessToken: tokens.accessToken)).session)
    }

    @Test("is refused once its session has ended, by every server")
    func ended() async throws {
        let system = try await SessionSystem()
        let tokens = try await system.tokens()
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        let id = try await other.sessions.authenticate(accessToken: tokens.accessToken).session.id
        try await system.sessions.end(id)
        for sessions in [system.sessions, other.sessions] {
            await #expect(throws: AccountError(.sessionEnded, "")) {
                try await sessions.authenticate(accessToken: tokens.accessToken)
            }
        }
    }

    @Test("is refused when any character of it is changed")
    func forged() async throws {
        let system = try await SessionSystem()
        let token = try await system.tokens().accessToken
        let other = try await SessionSystem.open(system.store, ring: KeyRingTests.one, clock: system.clock)
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            await #expect(throws: AccountError(.tokenInvalid, "")) {
                try await other.sessions.authenticate(accessToken: changed)
            }
        }
        for wrong in [
            "", ".", "..", "a.b.c", token + "A", String(token.dropLast()), String(repeating: "a", count: 5_000),
        ] {
            await #expect(throws: AccountError(.tokenInvalid, "")) {
                try await other.sessions.authenticate(accessToken: wrong)
            }
        }
    }

    @Test(
        "of another issuer or audience with the same keys is refused",
        arguments: [
            ("https://example.com", "https://other.example"), ("https://other.example", "https://example.com"),
            ("https://example.com/", "https://example.com"), ("https://example.com", "https://Example.com"),
        ])
    func otherPlace(issuer: String, audience: String) async throws {
        let system = try await SessionSystem()
        let token = try await system.tokens().accessToken
        func tokens(of issuer: String, for audience: String) -> AccessTokens {
            AccessTokens(
                issuer: issuer, audience: audience, keys: system.domain.serverKeys,
                environment: system.clock.environment)
        }
        _ = try await tokens(of: "https://example.com", for: "https://example.com").unexpired(token)
        await #expect(throws: AccountError(.tokenInvalid, "")) {
            try await tokens(of: issuer, for: audience).unexpired(token)
        }
    }

    @Test("does not open a browser's session, nor the reverse")
    func kinds() async throws {
        let system = try await SessionSystem()
        let (session, secret) = try await system.open(.browser)
        let token = try system.sessions.tokens(for: session, refreshToken: secret)
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.sessions.authenticate(accessToken: token.accessToken)
        }
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(secret.text) }
        let tokens = try await system.tokens()
        await #expect(throws: AccountError(.tokenInvalid, "")) {
            try await system.sessions.authenticate(cookie: tokens.refreshToken)
        }
    }
}

@Suite("A session cookie")
struct SessionCookieTests {
    @Test("opens its session, and only with the right secret")
    func secret() async throws {
        let system = try await SessionSystem()
        let (session, secret) = try await system.open(.browser)
        #expect(try await system.sessions.authenticate(cookie: secret.text).session.id == session.id)
        let guess = SessionSecret(session: session.id, secret: Array(repeating: 0, count: 32))
        for wrong in [guess.text, "", "ses_", secret.text + "A"] {
            await #expect(throws: AccountError(.tokenInvalid, "")) {
                try await system.sessions.authenticate(cookie: wrong)
            }
        }
    }

    @Test("lives on while it is used, but not past its absolute limit")
    func limits() async throws {
        let system = try await SessionSystem()
        let (_, secret) = try await system.open(.browser)
        for _ in 0..<7 {
            system.clock.advance(.days(25))
            _ = try await system.sessions.authenticate(cookie: secret.text)
        }
        system.clock.advance(.days(5))
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.sessions.authenticate(cookie: secret.text)
        }
    }

    @Test("expires after a month without use")
    func idle() async throws {
        let system = try await SessionSystem()
        let (_, secret) = try await system.open(.browser)
        system.clock.advance(.days(30))
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.sessions.authenticate(cookie: secret.text)
        }
    }
}

@Suite("A refresh token")
struct RefreshTokenTests {
    @Test("is exchanged for its successor")
    func rotation() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let second = try await system.sessions.refresh(first.refreshToken)
        #expect(second.refreshToken != first.refreshToken)
        _ = try await system.sessions.authenticate(accessToken: second.accessToken)
        let third = try await system.sessions.refresh(second.refreshToken)
        #expect(third.refreshToken != second.refreshToken)
    }

    @Test("gets the same successor again within thirty seconds")
    func lostAnswer() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let second = try await system.sessions.refresh(first.refreshToken)
        system.clock.advance(.seconds(30))
        let again = try await system.sessions.refresh(first.refreshToken)
        #expect(again.refreshToken == second.refreshToken)
        _ = try await system.sessions.refresh(again.refreshToken)
    }

    @Test("ends its session when it comes again later")
    func late() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let second = try await system.sessions.refresh(first.refreshToken)
        system.clock.advance(.seconds(31))
        await expectReuse(of: first.refreshToken, in: system)
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
            try await system.sessions.refresh(second.refreshToken)
        }
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.sessions.authenticate(accessToken: second.accessToken)
        }
        let id = try #require(SessionSecret(received: first.refreshToken)).session
        #expect(try await system.store.session(id)?.ended?.reason == .refreshTokenReused)
    }

    @Test("ends its session when it comes again after its successor was used, however soon")
    func successorUsed() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let second = try await system.sessions.refresh(first.refreshToken)
        _ = try await system.sessions.refresh(second.refreshToken)
        await expectReuse(of: first.refreshToken, in: system)
    }

    @Test("ends its session when it comes again many generations later")
    func ancestor() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        var last = first
        for _ in 0..<20 { last = try await system.sessions.refresh(last.refreshToken) }
        await expectReuse(of: first.refreshToken, in: system)
    }

    @Test("that was invented for a known session ends nothing")
    func invented() async throws {
        let system = try await SessionSystem()
        let tokens = try await system.tokens()
        let id = try #require(SessionSecret(received: tokens.refreshToken)).session
        let guess = SessionSecret(session: id, secret: Array(repeating: 1, count: 32))
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(guess.text) }
        _ = try await system.sessions.refresh(tokens.refreshToken)
    }

    @Test("that no server has made is refused without a database look-up")
    func unread() async throws {
        let system = try await SessionSystem()
        let text = try await system.tokens().refreshToken
        try await #require(system.database as? SQLiteDatabase).close()
        await #expect(throws: AccountError(.unavailable, "")) { try await system.sessions.refresh(text) }
        // The first four of the 43 characters after the dot are the mark. The last one has two unused bits.
        for index in text.indices.dropFirst(35).dropLast() {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
                try await system.sessions.refresh(changed)
            }
        }
        let other = SessionID(
            at: Timestamp(secondsSince1970: 1_700_000_000), randomness: Array(repeating: 5, count: 10))
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
            try await system.sessions.refresh(other.rawValue + text.dropFirst(30))
        }
    }

    @Test("can be exchanged after 40,000 exchanges")
    func manyTimes() async throws {
        let system = try await SessionSystem()
        let token = try await token(in: system, after: 40_000)
        let next = try await system.sessions.refresh(token).refreshToken
        _ = try await system.sessions.refresh(next)
    }

    @Test("is refused when its number of exchanges has no more room in it")
    func lastTime() async throws {
        let system = try await SessionSystem()
        let token = try await token(in: system, after: SessionSecret.lastGeneration - 1)
        let last = try await system.sessions.refresh(token).refreshToken
        let error = await #expect(throws: AccountError.self) { try await system.sessions.refresh(last) }
        #expect(error?.code == .refreshTokenInvalid)
        #expect(error?.reason == "the session's refresh token was exchanged too often")
    }

    @Test("is invalid if it is malformed", arguments: ["", "ses_x", "ses_00000000000000000000000000.AAAA"])
    func gone(text: String) async throws {
        let system = try await SessionSystem()
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await system.sessions.refresh(text) }
    }

    @Test("presented by fifty at once is exchanged once, and all get the same successor")
    func race() async throws {
        let system = try await SessionSystem()
        let first = try await system.tokens()
        let sessions = system.sessions
        let successors = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await sessions.refresh(first.refreshToken).refreshToken }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(successors.count == 1)
    }

    /// The refresh token of a session in which so many exchanges have taken place.
    private func token(in system: SessionSystem, after exchanges: Int64) async throws -> String {
        let (session, first) = try await system.open(.tokens)
        let current = first.successor(generation: exchanges, derivedWith: system.domain.serverKeys.refreshTokenKeys)
        let hash = current.hash
        _ = try await system.database.write { connection in
            try connection.execute(
                "UPDATE sessions SET generation = ?2, secret_hash = ?3 WHERE id = ?1",
                [.id(session.id), .int64(exchanges), .hash(hash)])
        }
        return current.text
    }

    private func expectReuse(of token: String, in system: SessionSystem) async {
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await system.sessions.refresh(token) }
    }
}
