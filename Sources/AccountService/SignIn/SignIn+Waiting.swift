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
    }

    /// Redeems the code, or lets it wait.
    ///
    /// A verified token with its nonce proves who is there, whatever Apple's token endpoint says to us now: only a
    /// grant that Apple calls dead, or an answer about somebody else, refuses the sign-in.
    func redeem(_ proven: Proven, at moment: Timestamp) async throws -> Redeemed {
        do {
            return Redeemed(appleToken: try await exchange(proven))
        } catch let error as AppleIDError
            where proven.identity.nonce == .matched && (error.isWorthWaitingFor || error.kind == .signInAgain)
        {
            tell(error, of: proven.identity.audience)
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

    /// Nil for a code that is as good as dead.
    private func waitingCode(of proven: Proven, at moment: Timestamp) throws -> OutboxEntry? {
        // The code is as old as the token that came with it.
        let issuedAt = min(Timestamp(secondsSince1970: proven.identity.issuedAt), moment)
        guard let code = proven.code, moment - issuedAt < Outbox.codeLifetime,
            let waiting = WaitingCode(proven, code: code)
        else { return nil }
        let id = OutboxID(at: moment, randomness: environment.randomBytes(10))
        let client = proven.identity.audience
        return OutboxEntry(
            id: id, kind: .code, clientID: client,
            sealed: try codeSeal.seal(
                Array(try JSONEncoder().encode(waiting)), row: id.rawValue, client: client.rawValue),
            personHash: OutboxEntry.personHash(
                team: try self.client(of: proven.identity).team, subject: proven.identity.subject),
            createdAt: issuedAt, nextAttemptAt: moment + OutboxBackoff.code.first)
    }
}

extension WaitingCode {
    /// Nil without a nonce: such a token proves nothing without its code.
    fileprivate init?(_ proven: SignIn.Proven, code: AuthorizationCode) {
        let (nonce, isHashed): (String, Bool)
        switch proven.nonce {
        case .issued(let value): (nonce, isHashed) = (value, false)
        case .hashed(let raw): (nonce, isHashed) = (raw, true)
        case .absent: return nil
        }
        self.init(
            code: code.rawValue, identityToken: proven.identityToken, nonce: nonce, isHashed: isHashed,
            redirectURI: proven.redirectURI)
    }
}
