import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

/// What can be wrong with Apple's answer to a code, or the identity token in it.
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
        "are the person's whose verified token names the code, who is signed in", arguments: Engine.allCases,
        AnswerFault.signsIn)
    func unreadable(on engine: Engine, _ fault: AnswerFault) async throws {
        let house = try await House(engine)
        let domain = try await house.domain(faulty: fault)
        let done = try await domain.signIn.native(house.device())
        #expect(done.account.appleToken == .held)
        try await house.deletes(done)
    }

    @Test("are revoked with the account that is deleted by that code", arguments: Engine.allCases)
    func deletion(on engine: Engine) async throws {
        let house = try await House(engine)
        var request = try await house.device()
        request.authorizationCode = nil
        let done = try await house.domain.signIn.native(request)
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == AppleTokenStatus.none)
        let nonce = try house.domain.challenges.make(for: .delete, session: session.session.id).nonce
        let receipt = try await house.domain(faulty: .missing).signIn.delete(
            accountOf: session, with: house.device(nonce: nonce), from: .unknown)
        #expect(receipt.deletion.asksApple)
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == 1)
        #expect(try await house.isFirstAtApple())
    }

    @Test(
        "of an app's authorization are its person's too, though it fails", arguments: Engine.allCases, [true, false])
    func authorization(on engine: Engine, hasAccount: Bool) async throws {
        let house = try await House(engine)
        if hasAccount { _ = try await house.signedIn() }
        let asking = try await house.ask()
        let domain = try await house.domain(faulty: .missing)
        let beginning = try await domain.authorizations.proceed(asking.id, browser: nil)
        let form = try await house.decide(at: beginning.location)
        _ = try await domain.signIn.finish(try AuthorizationResponse(form: form), browser: beginning.browser)
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == (hasAccount ? 0 : 1))
        #expect(try await house.isFirstAtApple() != hasAccount)
    }

    @Test("so they are where Apple's key cannot be had", arguments: Engine.allCases)
    func noKey(on engine: Engine) async throws {
        let house = try await House(engine)
        _ = try await house.signedIn("zoe")
        let request = try await house.device()
        try await house.losesKeys()
        let done = try await house.domain.signIn.native(request)
        #expect(done.account.appleToken == .held)
        try await house.deletes(done)
    }

    @Test(
        "are kept for the person's account where the sign-in is refused, and nothing is revoked",
        arguments: Engine.allCases, AnswerFault.refuses)
    func refused(on engine: Engine, _ fault: AnswerFault) async throws {
        let house = try await House(engine)
        let before = try await house.signedIn()
        let old = try await house.store.appleTokens(of: before.session.identityID)
        let domain = try await house.domain(faulty: fault)
        house.clock.advance(by: .seconds(60))
        let request = try await house.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        let kept = try await house.store.appleTokens(of: before.session.identityID)
        #expect(kept.count == 1 && kept != old)
        try await house.waits()
        #expect(try await house.isFirstAtApple() == false)
        let session = try #require(await house.store.session(before.session.id))
        #expect(session.ended == nil)
        _ = try await house.domain.deletions.delete(accountOf: house.signedIn())
        try await house.domain.outbox.drain()
        #expect(try await house.isFirstAtApple())
    }

    @Test(
        "are revoked where the person has no account and does not try again", arguments: Engine.allCases,
        AnswerFault.refuses)
    func nobody(on engine: Engine, _ fault: AnswerFault) async throws {
        let house = try await House(engine)
        let domain = try await house.domain(faulty: fault)
        let request = try await house.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == 1)
        #expect(try await house.isFirstAtApple())
    }

    @Test("are not revoked when the person tries again and succeeds", arguments: Engine.allCases)
    func triesAgain(on engine: Engine) async throws {
        let house = try await House(engine)
        let domain = try await house.domain(faulty: .malformed)
        let request = try await house.device()
        await #expect(throws: AppleIDError(.malformedToken, "")) { try await domain.signIn.native(request) }
        house.clock.advance(by: .seconds(30))
        let session = try await house.signedIn()
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.store.session(session.session.id)?.ended == nil)
        #expect(try await house.isFirstAtApple() == false)
    }

    @Test(
        "are left alone where the answer may not be Apple's, or about somebody else", arguments: Engine.allCases,
        AnswerFault.speaksAgainst)
    func left(on engine: Engine, _ fault: AnswerFault) async throws {
        let house = try await House(engine)
        let domain = try await house.domain(faulty: fault)
        let request = try await house.device()
        await #expect(throws: AppleIDError(fault.code, "")) { try await domain.signIn.native(request) }
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.isFirstAtApple() == false)
    }

    @Test(
        "wait for Apple's key, though the code had to wait, and nothing but the answer names the person",
        arguments: Engine.allCases)
    func waitingAnswer(on engine: Engine) async throws {
        let house = try await House(engine)
        let nonce = String.nonce()
        var request = try await house.device(nonce: nonce)
        request.identityToken = try await house.tokenOfAnotherCode(nonce: nonce)
        house.apple.fail("/auth/token", with: .unreachable)
        let done = try await house.domain.signIn.native(request)
        #expect(done.account.appleToken == .waiting)
        house.apple.fail("/auth/token", with: nil)
        try await house.losesKeys()
        house.clock.advance(by: .seconds(6))
        try await house.domain.outbox.drain()
        let session = try await house.domain.sessions.authenticate(accessToken: done.tokens.accessToken)
        #expect(session.account.appleToken == .waiting)
        house.apple.fail("/auth/keys", with: nil)
        try await house.waits()
        #expect(try await house.store.appleTokens(of: session.session.identityID).count == 1)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
    }

    @Test("are kept though the code had to wait for Apple first", arguments: Engine.allCases)
    func waitingCode(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .unreachable)
        let session = try await house.signedIn()
        #expect(session.account.appleToken == .waiting)
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(6))
        try await house.domain(faulty: .missing).outbox.drain()
        #expect(try await house.store.session(session.session.id)?.account.appleToken == .held)
    }
}

@Suite("Apple's answer to a code that came alone, while its key cannot be had")
struct WaitingAnswerTests {
    private func answerWaits(_ house: House, nonce: String?) async throws {
        try await answerWaits(house, nonce: nonce, presenting: nonce)
    }

    private func answerWaits(_ house: House, nonce: String?, presenting presented: String?) async throws {
        _ = try await house.signedIn("zoe")
        let answer = try await house.emulator.authorize(client: House.juice, nonce: nonce?.sha256, native: true)
        let request = NativeSignIn(
            identityToken: nil, authorizationCode: answer.code, nonce: presented, clientID: House.juice)
        try await house.losesKeys()
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await house.domain.signIn.native(request)
        }
        try await house.domain.outbox.drain()
        house.apple.fail("/auth/keys", with: nil)
        house.clock.advance(by: .seconds(3_600))
    }

    @Test(
        "waits for the key: whoever has no account has their authorization ended, if they do not try again",
        arguments: Engine.allCases, [nil, String.nonce()])
    func nobody(on engine: Engine, nonce: String?) async throws {
        let house = try await House(engine)
        try await answerWaits(house, nonce: nonce)
        try await house.domain.outbox.drain()
        house.clock.advance(by: .seconds(599))
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        house.clock.advance(by: .seconds(1))
        try await house.domain.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == 1)
        #expect(try await house.isFirstAtApple())
    }

    @Test("is the person's when they try again before that", arguments: Engine.allCases)
    func triesAgain(on engine: Engine) async throws {
        let house = try await House(engine)
        try await answerWaits(house, nonce: .nonce())
        try await house.domain.outbox.drain()
        var request = try await house.device()
        request.authorizationCode = nil
        let done = try await house.domain.signIn.native(request)
        #expect(done.isNewAccount && done.account.appleToken == .held)
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.isFirstAtApple() == false)
    }

    @Test("is kept for the account that its person has", arguments: Engine.allCases)
    func known(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        let old = try await house.store.appleTokens(of: session.session.identityID)
        try await answerWaits(house, nonce: .nonce())
        try await house.domain.outbox.drain()
        let kept = try await house.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.isFirstAtApple() == false)
    }

    @Test(
        "so it is when the key is there, and something else in the answer cannot be read", arguments: Engine.allCases,
        [AnswerFault.untyped, .withoutAccessToken])
    func malformed(on engine: Engine, _ fault: AnswerFault) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        let old = try await house.store.appleTokens(of: session.session.identityID)
        house.clock.advance(by: .seconds(60))
        let nonce = String.nonce()
        var request = try await house.device(nonce: nonce)
        (request.identityToken, request.clientID) = (nil, House.juice)
        let (domain, code) = (try await house.domain(faulty: fault), request)
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) { try await domain.signIn.native(code) }
        try await house.waits()
        let kept = try await house.store.appleTokens(of: session.session.identityID)
        #expect(kept.count == 1 && kept != old)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
    }

    @Test("is left alone where a nonce was presented and it answers none", arguments: Engine.allCases)
    func noNonce(on engine: Engine) async throws {
        let house = try await House(engine)
        try await answerWaits(house, nonce: nil, presenting: .nonce())
        try await house.waits()
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.isFirstAtApple() == false)
    }

    @Test("does not take the place of what a later sign-in has brought", arguments: Engine.allCases)
    func newer(on engine: Engine) async throws {
        let house = try await House(engine)
        try await answerWaits(house, nonce: .nonce())
        // The person stops using the app, and returns.
        try await house.order("/emulator/grants/stop-using", ["person": "johnny", "clientID": House.juice.rawValue])
        let session = try await house.signedIn()
        let new = try await house.store.appleTokens(of: session.session.identityID)
        try await house.waits()
        #expect(try await house.store.appleTokens(of: session.session.identityID) == new)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
    }

    @Test(
        "is left alone where it answers another nonce than the one that was presented, or one and none was",
        arguments: Engine.allCases, [nil, String.nonce()])
    func otherNonce(on engine: Engine, presented: String?) async throws {
        let house = try await House(engine)
        let session = try await house.signedIn()
        let old = try await house.store.appleTokens(of: session.session.identityID)
        try await answerWaits(house, nonce: .nonce(), presenting: presented)
        try await house.waits()
        #expect(try await house.store.appleTokens(of: session.session.identityID) == old)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        #expect(try await house.isFirstAtApple() == false)
    }
}

extension House {
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
