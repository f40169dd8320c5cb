import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

/// A call that asks for a fresh proof.
enum ProofUse: String, CaseIterable, Sendable {
    case reauthentication, deletion

    var challenge: Challenge.Purpose { self == .reauthentication ? .reauthenticate : .delete }
    func begin(in session: StoredSession, of domain: AccountDomain) async throws -> SignInBeginning {
        switch self {
        case .reauthentication:
            try await domain.reauthentications.begin(in: session, returnPath: .account, browser: nil)
        case .deletion: try await domain.deletions.begin(in: session, returnPath: .account, browser: nil)
        }
    }
}

@Suite("Rejected as a fresh proof")
struct RefusedProofTests {
    @Test(
        "A token that is older than ten minutes, though its challenge isn't", arguments: Engine.allCases,
        ProofUse.allCases)
    func tooOld(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        // Apple's clock is a minute behind this server's.
        try await system.order("/emulator/clock", ["advance": -60])
        let (young, old) = (
            try await system.proof(for: use, in: session), try await system.proof(for: use, in: session)
        )
        system.clock.advance(by: .seconds(540))
        try await system.expect(AccountError(.tokenTooOld, ""), presenting: old, for: use, in: session)
        // No code of this was presented to Apple, which redeems none of that age.
        #expect(system.apple.count(of: "/auth/token") == 1)
        system.clock.advance(by: .seconds(-1))
        try await system.expect(AppleIDError(.grantRejected, ""), presenting: young, for: use, in: session)
    }

    @Test("A token that is older than ten minutes, from a browser", arguments: Engine.allCases, ProofUse.allCases)
    func tooOldInBrowser(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        try await system.order("/emulator/clock", ["advance": -60])
        let beginning = try await use.begin(in: session, of: system.domain)
        let form = try await system.decide(at: beginning.location)
        system.clock.advance(by: .seconds(540))
        await #expect(throws: AccountError(.tokenTooOld, "")) {
            try await system.domain.callback.finish(try AuthorizationResponse(form: form), browser: beginning.browser)
        }
        try await system.isUnproven(session)
    }

    @Test(
        "A token from before the person stopped using the app, which ended the session",
        arguments: Engine.allCases, ProofUse.allCases)
    func stoppedUsing(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        var proof = try await system.proof(for: use, in: session)
        // The code would be dead, and refuse it before.
        proof.authorizationCode = nil
        system.clock.advance(by: .seconds(60))
        let sent = try await system.order(
            "/emulator/notifications",
            ["type": "consent-revoked", "person": "johnny", "clientID": TestSystem.juice.rawValue])
        let payload = try #require(sent["payload"] as? String)
        _ = try await system.domain.notifications.receive(
            Array(try JSONSerialization.data(withJSONObject: ["payload": payload])))
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.present(proof, for: use, in: session)
        }
        #expect(try await system.store.session(session.session.id)?.account.id == session.account.id)
    }

    @Test("A code alone whose token has no nonce", arguments: Engine.allCases, ProofUse.allCases)
    func noNonce(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        let answer = try await system.emulator.authorize(client: TestSystem.juice, native: true)
        let proof = NativeSignIn(
            identityToken: nil, authorizationCode: answer.code, nonce: nil, clientID: TestSystem.juice)
        try await system.expect(AppleIDError(.nonceMissing, ""), presenting: proof, for: use, in: session)
    }

    @Test("A token without its nonce, or with a challenge for something else", arguments: Engine.allCases)
    func challenges(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        for use in ProofUse.allCases {
            var proof = try await system.proof(for: use, in: session)
            let other = try #require(ProofUse.allCases.first { $0 != use })
            try await system.expect(AccountError(.challengeInvalid, ""), presenting: proof, for: other, in: session)
            proof.nonce = nil
            try await system.expect(AccountError(.requestInvalid, ""), presenting: proof, for: use, in: session)
        }
    }

    @Test(
        "Another person's code alone, whose authorization isn't changed", arguments: Engine.allCases,
        ProofUse.allCases)
    func otherPerson(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        var proof = try await system.proof(for: use, in: session, person: "zoe")
        proof.identityToken = nil
        proof.clientID = TestSystem.juice
        try await system.expect(AccountError(.credentialMismatch, ""), presenting: proof, for: use, in: session)
        system.clock.advance(by: .seconds(3_600))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple("zoe") == false)
    }

    @Test("A code that Apple calls dead, though its token is good", arguments: Engine.allCases, ProofUse.allCases)
    func deadCode(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        let proof = try await system.proof(for: use, in: session)
        system.clock.advance(by: .seconds(301))
        try await system.expect(AppleIDError(.grantRejected, ""), presenting: proof, for: use, in: session)
    }

    @Test("Any proof after the session was signed out", arguments: Engine.allCases, ProofUse.allCases)
    func signedOut(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.oldSession()
        let proof = try await system.proof(for: use, in: session)
        try await system.domain.sessions.end(session.session.id)
        await #expect(throws: AccountError(.sessionEnded, "")) {
            try await system.present(proof, for: use, in: session)
        }
        #expect(try await system.store.session(session.session.id)?.account.id == session.account.id)
    }
}

extension TestSystem {
    /// The session of a sign-in that is too old to be a fresh proof.
    fileprivate func oldSession() async throws -> StoredSession {
        let session = try await signedIn()
        clock.advance(by: .seconds(400))
        return session
    }

    fileprivate func proof(
        for use: ProofUse, in session: StoredSession, person: String = "johnny"
    ) async throws -> NativeSignIn {
        try await device(
            person: person, nonce: domain.challenges.make(for: use.challenge, session: session.session.id).nonce)
    }

    fileprivate func present(_ proof: NativeSignIn, for use: ProofUse, in session: StoredSession) async throws {
        let caller = Caller(address: "192.0.2.1")
        switch use {
        case .reauthentication:
            _ = try await domain.reauthentications.reauthenticate(session, with: proof, from: caller)
        case .deletion: _ = try await domain.deletions.delete(accountOf: session, with: proof, from: caller)
        }
    }

    fileprivate func expect<Refusal: Error & Equatable>(
        _ error: Refusal, presenting proof: NativeSignIn, for use: ProofUse, in session: StoredSession
    ) async throws {
        await #expect(throws: error) { try await present(proof, for: use, in: session) }
        try await isUnproven(session)
    }

    /// The session lives and is as old as it was.
    fileprivate func isUnproven(_ session: StoredSession) async throws {
        let found = try #require(await store.session(session.session.id))
        #expect(found.ended == nil && found.session.authenticatedAt == session.session.authenticatedAt)
        await #expect(throws: AccountError(.requiresRecentLogin, "")) {
            try await domain.deletions.delete(accountOf: found)
        }
    }
}
