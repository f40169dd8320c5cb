import AppleID
import AppleIDTypes
import CoreMetrics
import Foundation
import Logging
import TaskSignals

/// The yield of an authorization code: Apple's refresh token, or an entry of the outbox in which the code waits, or
/// neither.
struct RedeemedCode: Sendable {
    var appleToken: AppleToken?
    var waitingCode: OutboxEntry?
    /// Whether Apple has redeemed the code, and its answer waits in the entry.
    var holdsAnswer = false
}

/// Redeems Apple's codes, and sees to it that no refresh token of Apple's is lost. It seals the token, and hands it to its
/// person's identity or to the outbox, even if the work fails for which the code was redeemed.
///
/// Sign-in, reauthentication, revocation, deletion and authorizations of apps share it. It is a class because it is large.
final class AppleTokenVault: Sendable {
    /// Codes that came alone and that Apple refused are counted in windows of this length.
    private static let refusedCodeWindow: Duration = .minutes(10)
    /// The limit of refused codes for each address. Normal use stays far below it. Behind a proxy that is not trusted,
    /// everybody shares one address; whoever reaches the limit there stops the sign-ins with a code alone, and no
    /// others.
    static let refusedCodesPerAddress: Int64 = 100

    let apple: AppleIDClient
    let store: AccountTransactions
    let tokenSeal: Seal
    let codeSeal: Seal
    let finishing: FinishingWork
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger
    private let codeExchanges = CodeExchanges()

    init(
        apple: AppleIDClient, store: AccountTransactions, tokenSeal: Seal, codeSeal: Seal, finishing: FinishingWork,
        environment: AppleIDEnvironment, instrumentation: AppleIDInstrumentation, logger: Logger
    ) {
        self.apple = apple
        self.store = store
        self.tokenSeal = tokenSeal
        self.codeSeal = codeSeal
        self.finishing = finishing
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    var now: Timestamp { Timestamp(environment.now()) }

    // MARK: A code with its token

    /// Redeems the code, or lets it wait. If there is no code, Apple isn't asked.
    ///
    /// A verified token with its nonce proves who is there. So a failure at Apple, or in our configuration, doesn't refuse
    /// the sign-in. A grant that Apple calls dead does, and an answer that belongs to another sign-in.
    func redeem(_ verified: VerifiedToken, at moment: Timestamp) async throws -> RedeemedCode {
        do {
            return RedeemedCode(appleToken: try await exchange(verified))
        } catch let error as AppleIDError {
            guard verified.identity.nonce == .matched, error.isWorthWaitingFor || error.kind == .signInAgain else {
                throw await refusal(after: error, keepingTokensOf: verified)
            }
            return try await resultAfterFailedExchange(of: verified, error, at: moment)
        }
    }

    /// Redeems the code now or not at all, and seals Apple's refresh token.
    func redeemNow(_ verified: VerifiedToken) async throws -> AppleToken? {
        do {
            return try await exchange(verified)
        } catch let error as AppleIDError {
            throw await refusal(after: error, keepingTokensOf: verified)
        }
    }

    /// Postpones the person's waiting revocations. Call it before a code is redeemed: a revocation would end the
    /// authorization that the code is for.
    func postponeRevocations(of team: TeamID, _ subject: Subject, until end: Timestamp) async throws {
        try await store.postponeRevocations(
            of: TokenHash.person(team: team, subject: subject), at: now, until: end)
    }

    private func exchange(_ verified: VerifiedToken) async throws -> AppleToken? {
        guard let code = verified.code else { return nil }
        let client = verified.identity.audience
        let grant = try await apple.exchange(
            code: code, client: client, nonce: .proven(by: verified.identity), redirectURI: verified.redirectURI)
        return try grant.refreshToken.map { try sealed($0, client: client) }
    }

    /// The result for a sign-in that continues although the exchange of its code failed.
    private func resultAfterFailedExchange(
        of verified: VerifiedToken, _ error: AppleIDError, at moment: Timestamp
    ) async throws -> RedeemedCode {
        let client = verified.identity.audience
        switch UnverifiedAnswer(error, isBound: verified.isBound) {
        case .known(let token):
            recordUnverifiedAnswer(error, of: client, fate: .kept)
            return RedeemedCode(appleToken: try sealed(token, client: client))
        case .later(let answer):
            recordUnverifiedAnswer(error, of: client, fate: .waiting)
            recordSignInWithoutToken(error, of: client)
            return RedeemedCode(
                waitingCode: try entry(for: WaitingCode(verified, answer: answer), of: verified.identity, at: moment),
                holdsAnswer: true)
        case .left:
            recordUnverifiedAnswer(error, of: client, fate: .left)
            recordSignInWithoutToken(error, of: client)
            return RedeemedCode()
        case nil:
            recordSignInWithoutToken(error, of: client)
            return RedeemedCode(
                waitingCode: error.isWorthWaitingFor ? try waitingCode(of: verified, at: moment) : nil)
        }
    }

    /// Returns an entry in which the code waits. Nil if the code is too old to be redeemed later, or if the token beside it
    /// has no nonce, and so proves nothing without the code.
    private func waitingCode(of verified: VerifiedToken, at moment: Timestamp) throws -> OutboxEntry? {
        // The code is as old as the token that came with it.
        let issuedAt = min(Timestamp(verified.identity.issuedAt), moment)
        guard verified.code != nil, moment - issuedAt < Outbox.codeLifetime else { return nil }
        let waiting = WaitingCode(verified, answer: nil)
        guard waiting.nonce != nil else { return nil }
        return try entry(for: waiting, of: verified.identity, at: moment)
    }

    /// Keeps the tokens that Apple may have given with its answer, although the exchange has failed.
    /// - Returns: the error for whoever presented the code.
    private func refusal(
        after error: AppleIDError, keepingTokensOf verified: VerifiedToken
    ) async -> any Error {
        if let answer = UnverifiedAnswer(error, isBound: verified.isBound) {
            let client = verified.identity.audience
            await keepTokens(in: error, client: client) {
                switch answer {
                case .known(let token): try pendingToken(try sealed(token, client: client), of: verified.identity)
                case .later(let answer):
                    .answer(
                        try entry(for: WaitingCode(verified, answer: answer), of: verified.identity, at: now))
                case .left: nil
                }
            }
        }
        guard [.subjectMismatch, .issuerMismatch, .nonceMismatch].contains(error.code) else { return error }
        return AccountError(
            .identityMismatch, "Apple's two identity tokens do not belong to the same sign-in", cause: error)
    }

    // MARK: A code alone

    /// Redeems a code that came without an identity token, so that nothing proves it. One limit for each address, and one for
    /// all exchanges at once, bound how often strangers make this service ask Apple.
    ///
    /// Throws ``AppleIDError``, and ``AccountError/Code/rateLimited`` for an address with too many refused codes and
    /// where too many codes are exchanged at once.
    /// - Returns: who the code is about, and Apple's refresh token, sealed.
    func redeemAlone(
        _ code: AuthorizationCode, client: ClientID, nonce: ExchangeNonce?, from caller: Caller
    ) async throws -> (VerifiedIdentity, AppleToken?) {
        let moment = now
        let limit = WrongCodeLimit(
            of: .authorizationCodes, from: CountedNetwork(of: caller.address ?? "unknown"),
            limit: Self.refusedCodesPerAddress,
            during: Self.refusedCodeWindow, at: moment)
        guard try await store.mayTryCode(limit) else {
            throw AccountError(
                .rateLimited, "Apple refused too many codes from this address", retryAfter: limit.windowEnd - moment)
        }
        let grant: TokenGrant
        do {
            let expected = nonce ?? .noneSent
            grant = try await codeExchanges.perform {
                try await apple.exchange(code: code, client: client, nonce: expected)
            }
        } catch let error as AppleIDError {
            await keepAnswer(of: error, to: code, client: client, nonce: nonce)
            if error.code == .grantRejected { try await store.countWrongCode(limit) }
            guard error.code == .nonceMismatch, nonce == nil else { throw error }
            throw AppleIDError(
                .nonceMissing, "Apple's token carries a nonce, and the request has none", cause: error.cause)
        }
        return (grant.identity, try grant.refreshToken.map { try sealed($0, client: client) })
    }

    /// Keeps Apple's answer to a code that came alone, if it can be verified later. Before that nobody knows whose it is.
    private func keepAnswer(
        of error: AppleIDError, to code: AuthorizationCode, client: ClientID, nonce: ExchangeNonce?
    ) async {
        guard let answer = UnverifiedAnswer(error, isBound: false) else { return }
        await keepTokens(in: error, client: client) {
            guard case .later(let answer) = answer else { return nil }
            let moment = now
            let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
            let waiting = WaitingCode(code, nonce: nonce, answer: answer)
            return .answer(
                OutboxEntry(
                    id: id, kind: .code, clientID: client, sealed: try seal(waiting, row: id, client: client),
                    personHash: nil, createdAt: moment, nextAttemptAt: moment + RetryBackoff.answer.first))
        }
    }

    // MARK: Sealing

    private func sealed(_ refreshToken: RefreshToken, client: ClientID) throws -> AppleToken {
        try AppleToken(
            sealing: refreshToken, client: client, with: tokenSeal, at: now, randomness: environment.randomBytes(10))
    }

    /// An entry for the outbox, about the person of a verified token.
    private func entry(
        for waiting: WaitingCode, of identity: VerifiedIdentity, at moment: Timestamp
    ) throws -> OutboxEntry {
        let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
        let backoff: RetryBackoff = waiting.answer == nil ? .code : .answer
        return OutboxEntry(
            id: id, kind: .code, clientID: identity.audience,
            sealed: try seal(waiting, row: id, client: identity.audience),
            personHash: TokenHash.person(
                team: try apple.client(of: identity).team, subject: identity.subject),
            createdAt: min(Timestamp(identity.issuedAt), moment),
            nextAttemptAt: moment + backoff.first)
    }

    private func seal(_ waiting: WaitingCode, row id: OutboxID, client: ClientID) throws -> [UInt8] {
        try codeSeal.seal(Array(try JSONEncoder().encode(waiting)), row: id.rawValue, client: client.rawValue)
    }

    // MARK: Records

    private func recordSignInWithoutToken(_ error: AppleIDError, of client: ClientID) {
        Counter(
            label: "accounts.sign_ins_without_apple_token",
            dimensions: [("client", client.rawValue), ("reason", error.code.description)],
            factory: instrumentation.metrics
        ).increment()
        logger.log(
            level: error.kind == .configuration ? .error : .warning,
            "Somebody signs in without a token of Apple's: the code could not be redeemed.",
            metadata: ["client": "\(client)", "error": "\(error)"])
    }

    /// Counts and logs tokens of Apple's whose identity token could not be verified, with what became of them.
    func recordUnverifiedAnswer(_ error: AppleIDError, of client: ClientID, fate: UnusedTokenFate) {
        Counter(
            label: "accounts.unverified_answers",
            dimensions: [("client", client.rawValue), ("reason", error.code.description), ("token", fate.rawValue)],
            factory: instrumentation.metrics
        ).increment()
        logger.warning(
            "Apple gave tokens with an identity token that could not be verified.",
            metadata: ["client": "\(client)", "reason": "\(error.code)", "token": "\(fate.rawValue)"])
    }
}

/// Limits the exchanges of codes that came alone and run at once. Each waits for Apple, and anybody can cause one.
final class CodeExchanges: Sendable {
    static let limit = 32
    /// Apple answers within seconds.
    static let retryAfter: Duration = .seconds(5)

    private let running = Lock(0)

    /// - Throws: ``AccountError/Code/rateLimited``, without waiting, when there are too many.
    func perform<Result: Sendable>(_ exchange: () async throws -> Result) async throws -> Result {
        let isFree = running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard isFree else {
            throw AccountError(
                .rateLimited, "too many codes are being exchanged at once", retryAfter: Self.retryAfter)
        }
        defer { running.withLock { $0 -= 1 } }
        return try await exchange()
    }
}
