import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

/// A fault in Apple's answer to a code, or in the identity token in it.
enum AnswerFault: String, CaseIterable, Sendable {
    case missing, unreadable, untyped, withoutAccessToken
    /// These refuse the sign-in.
    case malformed, enlarged
    /// And these may be somebody else's doing.
    case forged, accessTokenSwapped

    static let signsIn: [Self] = [.missing, .unreadable, .untyped, .withoutAccessToken]
    static let refuses: [Self] = [.malformed, .enlarged]
    static let speaksAgainst: [Self] = [.forged, .accessTokenSwapped]

    func apply(to answer: inout [String: Any]) {
        switch self {
        case .missing: answer["id_token"] = nil
        case .unreadable: answer["id_token"] = 7
        case .untyped: answer["token_type"] = nil
        case .withoutAccessToken: answer["access_token"] = 7
        case .malformed: answer["id_token"] = "no token"
        case .enlarged: answer["id_token"] = String(repeating: "a", count: 40_000)
        case .forged:
            let parts = (answer["id_token"] as? String ?? "").split(separator: ".")
            answer["id_token"] = parts.dropLast().joined(separator: ".") + "." + String(repeating: "A", count: 342)
        case .accessTokenSwapped: answer["access_token"] = "another access token"
        }
    }

    var code: AppleIDError.Code {
        switch self {
        case .missing, .unreadable, .untyped, .withoutAccessToken: .exchangeOutcomeUnknown
        case .malformed: .malformedToken
        case .enlarged: .tokenTooLarge
        case .forged: .signatureInvalid
        case .accessTokenSwapped: .accessTokenHashMismatch
        }
    }
}

@Suite("Apple's tokens beside an identity token that cannot be verified")
struct UnverifiedAnswerTests {
    @Test(
        "belong to the person whose verified token names the code, who is signed in", arguments: Engine.allCases,
        AnswerFault.signsIn)
    func unreadable(on engine: Engine, _ fault: AnswerFault) async throws {
        let system = try await TestSystem(engine)
        let domain = try await system.domain(faulty: fault)
        let done = try await domain.signIn.native(system.device())
        #expect(done.account.appleToken == .held)
        try await system.deletes(done)
    }

    @Test("are revoked with the account that is deleted by that code", arguments: Engine.allCases)
    func deletion(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        var request = try await system.device()
        request.authorizationCode = nil
        let done = try await system.domain.signIn.native(request)
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == AppleTokenStatus.none)
        let nonce = try system.domain.challenges.make(for: .delete, session: session.session.id).nonce
        let receipt = try await system.domain(faulty: .missing).deletions.delete(
            accountOf: session, with: system.device(nonce: nonce), from: .unknown)
        #expect(receipt.deletion.asksApple)
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.isFirstAtApple())
    }

    @Test(
        "belong to the person too, if they are of an app's authorization, which fails", arguments: Engine.allCases,
        [true, false])
    func authorization(on engine: Engine, hasAccount: Bool) async throws {
        let system = try await TestSystem(engine)
        if hasAccount { _ = try await system.signedIn() }
        let asking = try await system.ask()
        let domain = try await system.domain(faulty: .missing)
        let beginning = try await domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await system.decide(at: beginning.location)
        _ = try await domain.callback.finish(try AuthorizationResponse(form: form), browser: beginning.browser)
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == (hasAccount ? 0 : 1))
        #expect(try await system.isFirstAtApple() != hasAccount)
    }

    @Test("belong to the person too, if Apple's key can't be fetched", arguments: Engine.allCases)
    func noKey(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.signedIn("zoe")
        let request = try await system.device()
        try await system.losesKeys()
        let done = try await system.domain.signIn.native(request)
        #expect(done.account.appleToken == .held)
        try await system.deletes(done)
    }

    @Test(
        "are kept for the person's account if the sign-in is refused, and nothing is revoked",
        arguments: Engine.allCases, AnswerFault.refuses)
    func refused(on engine: Engine, _ fault: AnswerFault) async throws {
        let system = try await TestSystem(engine)
        let before = try await system.signedIn()
        let old = try await system.store.appleTokens(of: before.session.identityID)
        let domain = try await system.domain(faulty: fault)
        system.clock.advance(by: .seconds(60))
        let request = try await system.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        let kept = try await system.store.appleTokens(of: before.session.identityID)
        #expect(kept.count == 1 && kept != old)
        try await system.waits()
        #expect(try await system.isFirstAtApple() == false)
        let session = try #require(await system.store.session(before.session.id))
        #expect(session.ended == nil)
        _ = try await system.domain.deletions.delete(accountOf: system.signedIn())
        try await system.domain.outbox.drain()
        #expect(try await system.isFirstAtApple())
    }

    @Test(
        "are revoked if the person has no account and doesn't try again", arguments: Engine.allCases,
        AnswerFault.refuses)
    func nobody(on engine: Engine, _ fault: AnswerFault) async throws {
        let system = try await TestSystem(engine)
        let domain = try await system.domain(faulty: fault)
        let request = try await system.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.isFirstAtApple())
    }

    @Test("are not revoked if the person tries again and succeeds", arguments: Engine.allCases)
    func triesAgain(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let domain = try await system.domain(faulty: .malformed)
        let request = try await system.device()
        await #expect(throws: AppleIDError(.malformedToken, "")) { try await domain.signIn.native(request) }
        system.clock.advance(by: .seconds(30))
        let session = try await system.signedIn()
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.store.session(session.session.id)?.ended == nil)
        #expect(try await system.isFirstAtApple() == false)
    }

    @Test(
        "are left alone if the answer may not be Apple's, or is about another person", arguments: Engine.allCases,
        AnswerFault.speaksAgainst)
    func left(on engine: Engine, _ fault: AnswerFault) async throws {
        let system = try await TestSystem(engine)
        let domain = try await system.domain(faulty: fault)
        let request = try await system.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
    }

    @Test(
        "wait for Apple's key, even after the code had to wait, if only the answer names the person",
        arguments: Engine.allCases)
    func waitingAnswer(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let nonce = String.nonce()
        var request = try await system.device(nonce: nonce)
        request.identityToken = try await system.tokenOfAnotherCode(nonce: nonce)
        system.apple.fail("/auth/token", with: .unreachable)
        let done = try await system.domain.signIn.native(request)
        #expect(done.account.appleToken == .waiting)
        system.apple.fail("/auth/token", with: nil)
        try await system.losesKeys()
        system.clock.advance(by: .seconds(6))
        try await system.domain.outbox.drain()
        let session = try await system.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .waiting)
        system.apple.fail("/auth/keys", with: nil)
        try await system.waits()
        #expect(try await system.store.appleTokens(of: session.session.identityID).count == 1)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
    }

    @Test("are kept though the code had to wait for Apple first", arguments: Engine.allCases)
    func waitingCode(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        system.apple.fail("/auth/token", with: .unreachable)
        let session = try await system.signedIn()
        #expect(session.account.appleToken == .waiting)
        system.apple.fail("/auth/token", with: nil)
        system.clock.advance(by: .seconds(6))
        try await system.domain(faulty: .missing).outbox.drain()
        #expect(try await system.store.session(session.session.id)?.account.appleToken == .held)
    }
}

@Suite("Apple's answer to a code without a token, while its key can't be fetched")
struct WaitingAnswerTests {
    private func answerWaits(_ system: TestSystem, nonce: String?) async throws {
        try await answerWaits(system, nonce: nonce, presenting: nonce)
    }

    private func answerWaits(_ system: TestSystem, nonce: String?, presenting presented: String?) async throws {
        _ = try await system.signedIn("zoe")
        let answer = try await system.emulator.authorize(client: TestSystem.juice, nonce: nonce?.sha256, native: true)
        let request = NativeSignIn(
            identityToken: nil, authorizationCode: answer.code, nonce: presented, clientID: TestSystem.juice)
        try await system.losesKeys()
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await system.domain.signIn.native(request)
        }
        try await system.domain.outbox.drain()
        system.apple.fail("/auth/keys", with: nil)
        system.clock.advance(by: .seconds(3_600))
    }

    @Test(
        "waits for the key; without an account it is revoked, if the person doesn't try again",
        arguments: Engine.allCases, [nil, String.nonce()])
    func nobody(on engine: Engine, nonce: String?) async throws {
        let system = try await TestSystem(engine)
        try await answerWaits(system, nonce: nonce)
        try await system.domain.outbox.drain()
        system.clock.advance(by: .seconds(599))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        system.clock.advance(by: .seconds(1))
        try await system.domain.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
        #expect(try await system.isFirstAtApple())
    }

    @Test("belongs to the person if they try again before that", arguments: Engine.allCases)
    func triesAgain(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await answerWaits(system, nonce: .nonce())
        try await system.domain.outbox.drain()
        var request = try await system.device()
        request.authorizationCode = nil
        let done = try await system.domain.signIn.native(request)
        #expect(done.isNewAccount && done.account.appleToken == .held)
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
    }

    @Test("is kept for the person's account", arguments: Engine.allCases)
    func known(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        let old = try await system.store.appleTokens(of: session.session.identityID)
        try await answerWaits(system, nonce: .nonce())
        try await system.domain.outbox.drain()
        let kept = try await system.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
    }

    @Test(
        "is kept for the account too if the key is there, but another part of the answer is invalid",
        arguments: Engine.allCases,
        [AnswerFault.untyped, .withoutAccessToken])
    func malformed(on engine: Engine, _ fault: AnswerFault) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        let old = try await system.store.appleTokens(of: session.session.identityID)
        system.clock.advance(by: .seconds(60))
        let nonce = String.nonce()
        var request = try await system.device(nonce: nonce)
        (request.identityToken, request.clientID) = (nil, TestSystem.juice)
        let (domain, code) = (try await system.domain(faulty: fault), request)
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) { try await domain.signIn.native(code) }
        try await system.waits()
        let kept = try await system.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
    }

    @Test("is left alone if it lacks the nonce that was presented", arguments: Engine.allCases)
    func noNonce(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await answerWaits(system, nonce: nil, presenting: .nonce())
        try await system.waits()
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
    }

    @Test("doesn't replace the token of a later sign-in", arguments: Engine.allCases)
    func newer(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await answerWaits(system, nonce: .nonce())
        // The person stops using the app, and returns.
        try await system.order(
            "/emulator/grants/stop-using", ["person": "johnny", "clientID": TestSystem.juice.rawValue])
        let session = try await system.signedIn()
        let new = try await system.store.appleTokens(of: session.session.identityID)
        try await system.waits()
        #expect(try await system.store.appleTokens(of: session.session.identityID) == new)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
    }

    @Test(
        "is left alone if it has another nonce than the presented one, or one and none was presented",
        arguments: Engine.allCases, [nil, String.nonce()])
    func otherNonce(on engine: Engine, presented: String?) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.signedIn()
        let old = try await system.store.appleTokens(of: session.session.identityID)
        try await answerWaits(system, nonce: .nonce(), presenting: presented)
        try await system.waits()
        #expect(try await system.store.appleTokens(of: session.session.identityID) == old)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        #expect(try await system.isFirstAtApple() == false)
    }
}

extension TestSystem {
    fileprivate func domain(faulty fault: AnswerFault) async throws -> AccountDomain {
        try await domain(over: ChangedAnswers(inner: apple) { fault.apply(to: &$0) })
    }

    /// Until every rest of the outbox is over.
    fileprivate func waits() async throws {
        for _ in 0..<4 {
            clock.advance(by: .seconds(600))
            try await domain.outbox.drain()
        }
    }

    /// The account is deleted, and with it ends what Apple had given.
    fileprivate func deletes(_ done: TokenSignIn) async throws {
        apple.fail("/auth/keys", with: nil)
        let session = try await domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        let receipt = try await domain.deletions.delete(accountOf: session)
        try await domain.outbox.drain()
        #expect(try await domain.deletions.deletion(receipt.handle).state == .done)
        #expect(try await isFirstAtApple())
    }
}
