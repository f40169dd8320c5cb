import AppleID
import AppleIDTypes
import CoreMetrics
import Foundation
import Logging

extension SignIn {
    /// What an exchange that signs nobody in is refused with, after the tokens that it may have brought found their
    /// place.
    func refusal(_ error: AppleIDError, _ proven: Proven) async -> any Error {
        if let answer = UnverifiedAnswer(error, isBound: proven.isBound) {
            let client = proven.identity.audience
            await keep(of: error, client: client) {
                switch answer {
                case .known(let token): try unwritten(try sealed(token, client: client), of: proven.identity)
                case .later(let answer):
                    .answer(
                        try entry(
                            for: WaitingCode(proven, code: proven.code, answer: answer), of: proven.identity, at: now))
                case .left: nil
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
        await keep(of: error, client: client) {
            guard case .later(let answer) = answer else { return nil }
            let moment = now
            let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
            let waiting = WaitingCode(code, nonce: nonce, answer: answer)
            return .answer(
                OutboxEntry(
                    id: id, kind: .code, clientID: client, sealed: try seal(waiting, row: id, client: client),
                    personHash: nil, createdAt: moment, nextAttemptAt: moment + OutboxBackoff.answer.first))
        }
    }

    /// The error that the person gets is that of the exchange, whatever becomes of the token.
    /// - Parameter answer: what there is to be written; nil for what is left.
    private func keep(of error: AppleIDError, client: ClientID, answer: () throws -> Unwritten?) async {
        do {
            guard let unwritten = try answer() else { return tell(error, of: client, fate: .left) }
            await keep(unwritten) { [self] in tell(error, of: client, fate: $0) }
        } catch let failure {
            tell(failure, ofTokenFor: client)
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

extension SignIn.Proven {
    /// Whether the code can be nobody else's: the token beside it, which was held against it, names it.
    var isBound: Bool { code != nil && identity.claims.codeHash != nil }
}
