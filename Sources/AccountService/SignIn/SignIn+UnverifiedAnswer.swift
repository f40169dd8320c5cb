import AppleID
import AppleIDTypes
import CoreMetrics
import Foundation
import Logging

extension SignIn {
    /// How long a token that no sign-in uses is not revoked: its person is likely to try again.
    static let unusedRest: Duration = .minutes(10)

    /// What an exchange that signs nobody in is refused with, after the tokens that it may have brought found their
    /// place.
    func refusal(_ error: AppleIDError, _ proven: Proven) async -> any Error {
        if let answer = UnverifiedAnswer(error, isBound: proven.isBound) {
            await keep(answer, of: error, client: proven.identity.audience) {
                switch answer {
                case .known(let token): return try await keepUnused(token, of: proven.identity)
                case .later(let answer):
                    let waiting = WaitingCode(proven, code: proven.code, answer: answer)
                    try await store.insertIntoOutbox(try entry(for: waiting, of: proven.identity, at: now))
                    return .waiting
                case .left: return .left
                }
            }
        }
        guard [.subjectMismatch, .issuerMismatch, .nonceMismatch].contains(error.code) else { return error }
        return AccountError(
            .identityMismatch, "Apple's two identity tokens do not belong to the same sign-in", cause: error)
    }

    /// The same for a code that came alone: nothing says whose it is, until its answer can be verified.
    func keepAnswer(
        of error: AppleIDError, to code: AuthorizationCode, client: ClientID, nonce: ExchangeNonce?
    ) async {
        guard let answer = UnverifiedAnswer(error, isBound: false) else { return }
        await keep(answer, of: error, client: client) {
            guard case .later(let answer) = answer else { return .left }
            let moment = now
            let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
            let waiting = WaitingCode(code, nonce: nonce, answer: answer)
            try await store.insertIntoOutbox(
                OutboxEntry(
                    id: id, kind: .code, clientID: client, sealed: try seal(waiting, row: id, client: client),
                    personHash: nil, createdAt: moment, nextAttemptAt: moment + OutboxBackoff.answer.first))
            return .waiting
        }
    }

    /// Keeps the token of a verified identity for it, or has it revoked where nobody has signed in with that.
    private func keepUnused(_ token: RefreshToken, of identity: VerifiedIdentity) async throws -> UnusedTokenFate {
        let kept = try AppleToken(
            sealing: token, client: identity.audience, with: tokenSeal, at: now,
            randomness: environment.randomBytes(10))
        return try await keepUnused(kept, of: identity)
    }

    private func keepUnused(_ token: AppleToken, of identity: VerifiedIdentity) async throws -> UnusedTokenFate {
        let moment = now
        let isKept = try await store.keepUnused(
            token, of: TokenOwner(identity, team: try client(of: identity).team), at: moment,
            revokingFrom: moment + Self.unusedRest)
        return isKept ? .kept : .revocation
    }

    /// The token of a good answer is its person's, too, when the transaction that was to use it is refused: the account
    /// is disabled, or the session has ended while Apple was asked. A code of ours keeps its token and can be used again.
    func keepingToken<Result>(of settled: Settled, _ transaction: () async throws -> Result) async throws -> Result {
        do {
            return try await transaction()
        } catch let error as AccountError where error.code != .unavailable {
            guard let token = settled.appleToken, settled.ownCode == nil else { throw error }
            do {
                let fate = try await keepUnused(token, of: settled.identity)
                logger.info(
                    "What was asked for is refused after Apple has redeemed its code.",
                    metadata: ["client": "\(token.clientID)", "reason": "\(error.code)", "token": "\(fate.rawValue)"])
            } catch let failure {
                logger.error(
                    "A refresh token of Apple's could neither be kept nor revoked.",
                    metadata: ["client": "\(token.clientID)", "error": "\(failure)"])
            }
            throw error
        }
    }

    /// The error that the person gets is that of the exchange, whatever becomes of the token.
    private func keep(
        _ answer: UnverifiedAnswer, of error: AppleIDError, client: ClientID,
        by work: () async throws -> UnusedTokenFate
    ) async {
        do {
            tell(error, of: client, fate: try await work())
        } catch let failure {
            logger.error(
                "A refresh token of Apple's could neither be kept nor revoked.",
                metadata: ["client": "\(client)", "error": "\(failure)"])
            tell(error, of: client, fate: .left)
        }
    }

    /// So that nothing of Apple's is lost unseen.
    func tell(_ error: AppleIDError, of client: ClientID, fate: UnusedTokenFate) {
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

/// What became of a refresh token that no sign-in uses.
enum UnusedTokenFate: String, Sendable {
    case kept
    /// In the outbox.
    case revocation
    /// In the outbox, to be verified.
    case waiting
    case left
}

extension SignIn.Proven {
    /// Whether the code can be nobody else's: the token beside it, which was held against it, names it.
    var isBound: Bool { code != nil && identity.claims.codeHash != nil }
}

extension TokenOwner {
    init(_ identity: VerifiedIdentity, team: TeamID) {
        self.init(
            team: team, subject: identity.subject, authorizedAt: Timestamp(secondsSince1970: identity.issuedAt))
    }
}
