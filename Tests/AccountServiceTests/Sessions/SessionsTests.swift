import AccountEngines
import AccountSQL
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
struct SessionHouse {
    let clock = Clock()
    /// On the test's engine.
    let database: any SQLDatabase
    let store: any AccountStore
    let domain: AccountDomain

    init(ring: String = KeyRingTests.one) async throws {
        func store(on database: some SQLDatabase) async throws -> any AccountStore {
            try await SQLAccountStore(on: database)
        }
        database = try await Engine.current.database()
        self.store = try await store(on: database)
        domain = try await Self.open(self.store, ring: ring, clock: clock)
    }

    static func open(_ store: any AccountStore, ring: String, clock: Clock) async throws -> AccountDomain {
        try await AccountDomain.open(
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
                at: now, spent: [],
                person: SignInRecord.Person(
                    team: "TEAM000001", subject: Subject(record.id.rawValue), email: nil, emailVerified: false,
                    isPrivateEmail: false, realUserStatus: nil),
                newAccountID: AccountID(at: now, randomness: environment.randomBytes(10)),
                newIdentityID: IdentityID(at: now, randomness: environment.randomBytes(10)), name: nil,
                openKeptName: { _ in nil }, appleToken: nil, session: record, formerSession: nil))
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
        let house = try await SessionHouse()
        let tokens = try await house.tokens()
        #expect(tokens.expiresIn == .seconds(600))
        _ = try await house.sessions.authenticate(accessToken: tokens.accessToken)
        house.clock.advance(.seconds(599))
        _ = try await house.sessions.authenticate(accessToken: tokens.accessToken)
        house.clock.advance(.seconds(1))
        await #expect(throws: AccountError(.accessTokenExpired, "")) {
            try await house.sessions.authenticate(accessToken: tokens.accessToken)
        }
    }

    @Test("is known by a server that did not mint it")
    func otherServer() async throws {
        let house = try await SessionHouse()
        let tokens = try await house.tokens()
        let other = try await SessionHouse.open(house.store, ring: KeyRingTests.one, clock: house.clock)
        let found = try await other.sessions.authenticate(accessToken: tokens.accessToken)
        #expect(found.session == (try await house.sessions.authenticate(accessToken: tokens.accessToken)).session)
    }

    @Test("is refused once its session has ended, by every server")
    func ended() async throws {
        let house = try await SessionHouse()
        let tokens = try await house.tokens()
        let other = try await SessionHouse.open(house.store, ring: KeyRingTests.one, clock: house.clock)
        let id = try await other.sessions.authenticate(accessToken: tokens.accessToken).session.id
        try await house.sessions.end(id)
        for sessions in [house.sessions, other.sessions] {
            await #expect(throws: AccountError(.sessionEnded, "")) {
                try await sessions.authenticate(accessToken: tokens.accessToken)
            }
        }
    }

    @Test("is refused when any character of it is changed")
    func forged() async throws {
        let house = try await SessionHouse()
        let token = try await house.tokens().accessToken
        let other = try await SessionHouse.open(house.store, ring: KeyRingTests.one, clock: house.clock)
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
        let house = try await SessionHouse()
        let token = try await house.tokens().accessToken
        func tokens(of issuer: String, for audience: String) -> AccessTokens {
            AccessTokens(
                issuer: issuer, audience: audience, keys: house.domain.serverKeys,
                environment: house.clock.environment)
        }
        _ = try await tokens(of: "https://example.com", for: "https://example.com").unexpired(token)
        await #expect(throws: AccountError(.tokenInvalid, "")) {
            try await tokens(of: issuer, for: audience).unexpired(token)
        }
    }

    @Test("does not open a browser's session, nor the reverse")
    func kinds() async throws {
        let house = try await SessionHouse()
        let (session, secret) = try await house.open(.browser)
        let token = try house.sessions.tokens(for: session, refreshToken: secret)
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await house.sessions.authenticate(accessToken: token.accessToken)
        }
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await house.sessions.refresh(secret.text) }
        let tokens = try await house.tokens()
        await #expect(throws: AccountError(.tokenInvalid, "")) {
            try await house.sessions.authenticate(cookie: tokens.refreshToken)
        }
    }
}

@Suite("A session cookie")
struct SessionCookieTests {
    @Test("opens its session, and only with the right secret")
    func secret() async throws {
        let house = try await SessionHouse()
        let (session, secret) = try await house.open(.browser)
        #expect(try await house.sessions.authenticate(cookie: secret.text).session.id == session.id)
        let guess = SessionSecret(session: session.id, secret: Array(repeating: 0, count: 32))
        for wrong in [guess.text, "", "ses_", secret.text + "A"] {
            await #expect(throws: AccountError(.tokenInvalid, "")) {
                try await house.sessions.authenticate(cookie: wrong)
            }
        }
    }

    @Test("lives on while it is used, but not past its absolute limit")
    func limits() async throws {
        let house = try await SessionHouse()
        let (_, secret) = try await house.open(.browser)
        for _ in 0..<7 {
            house.clock.advance(.days(25))
            _ = try await house.sessions.authenticate(cookie: secret.text)
        }
        house.clock.advance(.days(5))
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await house.sessions.authenticate(cookie: secret.text)
        }
    }

    @Test("is dead after a month without use")
    func idle() async throws {
        let house = try await SessionHouse()
        let (_, secret) = try await house.open(.browser)
        house.clock.advance(.days(30))
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await house.sessions.authenticate(cookie: secret.text)
        }
    }
}

@Suite("A refresh token")
struct RefreshTokenTests {
    @Test("is exchanged for its successor")
    func rotation() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        let second = try await house.sessions.refresh(first.refreshToken)
        #expect(second.refreshToken != first.refreshToken)
        _ = try await house.sessions.authenticate(accessToken: second.accessToken)
        let third = try await house.sessions.refresh(second.refreshToken)
        #expect(third.refreshToken != second.refreshToken)
    }

    @Test("gets the same successor again within thirty seconds")
    func lostAnswer() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        let second = try await house.sessions.refresh(first.refreshToken)
        house.clock.advance(.seconds(30))
        let again = try await house.sessions.refresh(first.refreshToken)
        #expect(again.refreshToken == second.refreshToken)
        _ = try await house.sessions.refresh(again.refreshToken)
    }

    @Test("ends its session when it comes again later")
    func late() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        let second = try await house.sessions.refresh(first.refreshToken)
        house.clock.advance(.seconds(31))
        await expectReuse(of: first.refreshToken, in: house)
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
            try await house.sessions.refresh(second.refreshToken)
        }
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await house.sessions.authenticate(accessToken: second.accessToken)
        }
        let id = try #require(SessionSecret(received: first.refreshToken)).session
        #expect(try await house.store.session(id)?.ended?.reason == .refreshTokenReused)
    }

    @Test("ends its session when it comes again after its successor was used, however soon")
    func successorUsed() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        let second = try await house.sessions.refresh(first.refreshToken)
        _ = try await house.sessions.refresh(second.refreshToken)
        await expectReuse(of: first.refreshToken, in: house)
    }

    @Test("ends its session when it comes again many generations later")
    func ancestor() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        var last = first
        for _ in 0..<20 { last = try await house.sessions.refresh(last.refreshToken) }
        await expectReuse(of: first.refreshToken, in: house)
    }

    @Test("that was invented for a known session ends nothing")
    func invented() async throws {
        let house = try await SessionHouse()
        let tokens = try await house.tokens()
        let id = try #require(SessionSecret(received: tokens.refreshToken)).session
        let guess = SessionSecret(session: id, secret: Array(repeating: 1, count: 32))
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await house.sessions.refresh(guess.text) }
        _ = try await house.sessions.refresh(tokens.refreshToken)
    }

    @Test("that no server has made is refused without a look at the database")
    func unread() async throws {
        let house = try await SessionHouse()
        let text = try await house.tokens().refreshToken
        try await #require(house.database as? SQLiteDatabase).close()
        await #expect(throws: AccountError(.unavailable, "")) { try await house.sessions.refresh(text) }
        // Of the 43 characters after the dot, the first four are the mark, and the last has two bits that say nothing.
        for index in text.indices.dropFirst(35).dropLast() {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
                try await house.sessions.refresh(changed)
            }
        }
        let other = SessionID(
            at: Timestamp(secondsSince1970: 1_700_000_000), randomness: Array(repeating: 5, count: 10))
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) {
            try await house.sessions.refresh(other.rawValue + text.dropFirst(30))
        }
    }

    @Test("is exchanged as often as anybody likes")
    func manyTimes() async throws {
        let house = try await SessionHouse()
        let (session, secret) = try await house.open(.tokens)
        _ = try await house.database.write { connection in
            try connection.execute("UPDATE sessions SET generation = 40000 WHERE id = ?1", [.id(session.id)])
        }
        let second = try await house.sessions.refresh(secret.text)
        _ = try await house.sessions.refresh(second.refreshToken)
    }

    @Test("is dead with its session", arguments: ["", "ses_x", "ses_00000000000000000000000000.AAAA"])
    func gone(text: String) async throws {
        let house = try await SessionHouse()
        await #expect(throws: AccountError(.refreshTokenInvalid, "")) { try await house.sessions.refresh(text) }
    }

    @Test("presented by fifty at once is exchanged once, and all get the same successor")
    func race() async throws {
        let house = try await SessionHouse()
        let first = try await house.tokens()
        let sessions = house.sessions
        let successors = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await sessions.refresh(first.refreshToken).refreshToken }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(successors.count == 1)
    }

    private func expectReuse(of token: String, in house: SessionHouse) async {
        await #expect(throws: AccountError(.refreshTokenReused, "")) { try await house.sessions.refresh(token) }
    }
}
