import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Other providers and merges, beside a server of the version before", .eachEngine)
struct EarlierServerTests {
    @Test("An attempt at a provider that an earlier server takes at Apple's callback proves no identity")
    func attempt() async throws {
        let system = try await PasswordSystem.withProviders()
        let earlier = EarlierServer(database: system.store.database)
        let beginning = try await system.domain.providerSignIn.begin(
            .signIn(nil), at: "example", returnPath: .account, browser: nil)
        let state = beginning.request.state
        let apple = try await system.domain.signIn.begin(browser: nil).request
        var taken = try #require(try await earlier.takeAttempt(TokenHash(of: state)))
        #expect(taken.provider == nil && taken.nonce != nil, "it asks for a nonce")
        // The attempt gets the Services ID, as if both had the same client identifier.
        taken.clientID = apple.client

        // The provider knows state and nonce, and brings an answer of Apple's for them.
        let nonce = try #require(beginning.location.firstMatch(of: /[?&]nonce=([^&]+)/)).output.1
        var request = TestAuthorizationRequest(client: apple.client)
        request.redirectURI = apple.redirectURI
        request.state = state
        request.nonce = String(nonce)
        request.responseType = .codeIDToken
        request.responseMode = .formPost
        let response = try AuthorizationResponse(form: await system.emulator.authorize(request).fields)
        let attempt = taken
        await #expect(throws: AppleIDError(.nonceMismatch, "")) {
            _ = try await system.domain.signIn.finish(attempt, with: .form(response, attempt), from: .unknown)
        }
        #expect(try await system.accountCount() == 0)
        #expect(system.providers[0].exchanges == 0)
    }

    @Test("An earlier server's rows still work: its attempt is for Apple, its notice is sent, and its handle merges")
    func rows() async throws {
        let database = try await Engine.current.database()
        try await database.migrate(EarlierServer.schema, at: 0)
        let earlier = EarlierServer(database: database)
        let now = Timestamp(TestClock().now)
        let accounts = [AccountID(rawValue: "acc_1"), AccountID(rawValue: "acc_2")]
        let identities = [IdentityID(rawValue: "idn_1"), IdentityID(rawValue: "idn_2")]
        let sessions = [SessionID(rawValue: "ses_1"), SessionID(rawValue: "ses_2")]
        for index in 0...1 {
            try await earlier.insertAccount(accounts[index], identities[index], sessions[index], at: now)
        }
        let handle = ConflictHandle(randomness: Array(repeating: 7, count: 32))
        try await earlier.insertConflict(handle, of: sessions[1], with: identities[0], at: now)
        let attempt = Attempt(
            stateHash: TokenHash(of: "state"), browserHash: TokenHash(of: "browser"), purpose: .signIn, sessionID: nil,
            clientID: "com.example.juice.web", nonce: "a nonce", returnPath: .account, createdAt: now,
            expiresAt: now + .minutes(10))
        try await earlier.insert(attempt)
        try await earlier.tell(
            "backend", AccountNotice(.accountCreated, of: accounts[0], sequence: 1, at: now, identityID: identities[0]))

        let system = try await PasswordSystem(on: database)
        #expect(system.now == now)
        let example = IdentityProvider(rawValue: "example")
        let elsewhere = try await system.store.takeAttempt(attempt.stateHash, at: example)
        #expect(elsewhere == nil)
        let taken = try await system.store.takeAttempt(attempt.stateHash)
        #expect(taken == attempt)
        let session = try #require(try await system.store.session(sessions[1]))
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.from == accounts[0] && plan.moves.identities.map(\.id) == [identities[0]])
        try await system.merge(handle, plan.confirmation, into: session)
        let merged = try await system.store.accountMerged(from: accounts[0])
        #expect(merged?.into == accounts[1])
        let notices = try await system.notices()
        #expect(notices.map(\.kind) == [.accountCreated, .accountMerged])
        #expect(notices.map(\.mergedInto) == [nil, accounts[1]])
        let former = try await system.store.session(sessions[0])
        #expect(former?.ended?.reason == .merged)
    }

    @Test("A merged account's session is invalid at the earlier server, and gets the remaining account's id here")
    func session() async throws {
        let system = try await PasswordSystem()
        let earlier = EarlierServer(database: system.store.database)
        let apple = try await system.signInWithApple()
        let session = try await system.makeAccount()
        try await system.merge(into: session)
        let presented = try #require(SessionSecret(received: apple.tokens.refreshToken))
        #expect(try await earlier.exchange(presented, at: system.now) == 0)
        let told = await expectError(.accountMerged) {
            _ = try await system.domain.sessions.refresh(apple.tokens.refreshToken)
        }
        #expect(told?.mergedInto == session.account.id)
        #expect(try await system.end(of: session) == nil)
    }

    @Test("A notice of a merge that the earlier server could not deliver has both ids when this one does")
    func notice() async throws {
        let system = try await PasswordSystem()
        let earlier = EarlierServer(database: system.store.database)
        let from = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        _ = try await system.notices()
        try await system.merge(into: session)
        #expect(try await earlier.fail(toDeliverTo: "backend", at: system.now) == ["account.merged"])
        let notices = try await system.notices()
        #expect(notices.map(\.accountID) == [from] && notices.map(\.mergedInto) == [session.account.id])
    }

    @Test("A deletion by the earlier server leaves no merge and no person at a provider")
    func deletion() async throws {
        let system = try await PasswordSystem.withProviders()
        let earlier = EarlierServer(database: system.store.database)
        let apple = try await system.signInWithApple()
        let session = try await system.makeAccount()
        try await system.merge(into: session)
        let person = try await system.signInWithProvider(.init("person-2"))
        for account in [session.account.id, person.account.id] { try await earlier.purge(account) }
        for table in ["accounts", "identities", "sessions", "merged_accounts", "passwords"] as [SQLStatement] {
            #expect(try await system.count(table) == 0, "\(table)")
        }
        await expectError(.sessionEnded) { _ = try await system.session(of: apple) }
        #expect(try await system.signInWithProvider(.init("person-2")).account.id != person.account.id)
    }
}
