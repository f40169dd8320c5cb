import AppleID
import AppleIDTypes
import CoreMetrics
import Foundation
import Logging

extension SignIn {
    /// What came of a code: Apple's refresh token, or an entry of the outbox in which the code waits, or neither.
    struct Redeemed: Sendable {
        var appleToken: AppleToken?
        var waitingCode: OutboxEntry?
        /// Whether Apple has redeemed that code, and what it gave waits in the entry.
        var holdsAnswer = false
    }

    /// Redeems the code, or lets it wait.
    ///
    /// A verified token with its nonce proves who is there, whatever Apple's token endpoint says to us now: only a
    /// grant that Apple calls dead, or an answer about somebody else, refuses the sign-in.
    func redeem(_ proven: Proven, at moment: Timestamp) async throws -> Redeemed {
        do {
            return Redeemed(appleToken: try await grant(for: proven))
        } catch let error as AppleIDError {
            guard proven.identity.nonce == .matched, error.isWorthWaitingFor || error.kind == .signInAgain else {
                throw await refusal(error, proven)
            }
            return try await redeemed(proven, in: error, at: moment)
        }
    }

    /// What a sign-in has that goes on although its code was not redeemed as it should be.
    private func redeemed(_ proven: Proven, in error: AppleIDError, at moment: Timestamp) async throws -> Redeemed {
        let client = proven.identity.audience
        switch UnverifiedAnswer(error, isBound: proven.isBound) {
        case .known(let token):
            tell(error, of: client, fate: .kept)
            return Redeemed(appleToken: try sealed(token, client: client))
        case .later(let answer):
            tell(error, of: client, fate: .waiting)
            tell(error, of: client)
            let waiting = WaitingCode(proven, code: proven.code, answer: answer)
            return Redeemed(waitingCode: try entry(for: waiting, of: proven.identity, at: moment), holdsAnswer: true)
        case .left:
            tell(error, of: client, fate: .left)
            tell(error, of: client)
            return Redeemed()
        case nil:
            tell(error, of: client)
            return Redeemed(waitingCode: error.isWorthWaitingFor ? try waitingCode(of: proven, at: moment) : nil)
        }
    }

    private func tell(_ error: AppleIDError, of client: ClientID) {
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

    /// Nil for a code that is as good as dead, or whose token proves nothing without it.
    private func waitingCode(of proven: Proven, at moment: Timestamp) throws -> OutboxEntry? {
        // The code is as old as the token that came with it.
        let issuedAt = min(Timestamp(secondsSince1970: proven.identity.issuedAt), moment)
        guard proven.code != nil, moment - issuedAt < Outbox.codeLifetime else { return nil }
        let waiting = WaitingCode(proven, code: proven.code, answer: nil)
        guard waiting.nonce != nil else { return nil }
        return try entry(for: waiting, of: proven.identity, at: moment)
    }

    /// For the outbox, about the person of a verified token.
    func entry(for waiting: WaitingCode, of identity: VerifiedIdentity, at moment: Timestamp) throws -> OutboxEntry {
        let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
        let backoff: OutboxBackoff = waiting.answer == nil ? .code : .answer
        return OutboxEntry(
            id: id, kind: .code, clientID: identity.audience,
            sealed: try seal(waiting, row: id, client: identity.audience),
            personHash: OutboxEntry.personHash(team: try client(of: identity).team, subject: identity.subject),
            createdAt: min(Timestamp(secondsSince1970: identity.issuedAt), moment),
            nextAttemptAt: moment + backoff.first)
    }

    func seal(_ waiting: WaitingCode, row id: OutboxID, client: ClientID) throws -> [UInt8] {
        try codeSeal.seal(Array(try JSONEncoder().encode(waiting)), row: id.rawValue, client: client.rawValue)
    }
}

extension WaitingCode {
    init(_ proven: SignIn.Proven, code: AuthorizationCode?, answer: Answer?) {
        let (nonce, isHashed): (String?, Bool) =
            switch proven.nonce {
            case .issued(let value): (value, false)
            case .hashed(let raw): (raw, true)
            case .absent: (nil, false)
            }
        self.init(
            code: code?.rawValue ?? "", identityToken: proven.identityToken, nonce: nonce, isHashed: isHashed,
            redirectURI: proven.redirectURI, answer: answer)
    }

    /// Of a code that came alone.
    init(_ code: AuthorizationCode, nonce: ExchangeNonce?, answer: Answer) {
        let (nonce, isHashed): (String?, Bool) =
            switch nonce {
            case .issued(let value): (value, false)
            case .hashed(let raw): (raw, true)
            // No code that came alone has a token beside it.
            case .absent, .proven, nil: (nil, false)
            }
        self.init(
            code: code.rawValue, identityToken: nil, nonce: nonce, isHashed: isHashed, redirectURI: nil, answer: answer)
    }
}
