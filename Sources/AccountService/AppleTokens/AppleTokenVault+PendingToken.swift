import AppleID
package import AppleIDTypes
import Logging

/// A token or an answer of Apple's that no transaction has written yet. Apple gives it once.
enum PendingToken: Sendable {
    /// - Parameter revokingFrom: when a token that is not kept is revoked; nil never revokes it.
    case token(AppleToken, of: TokenOwner, revokingFrom: Timestamp?)
    /// An answer of Apple's that waits to be verified.
    case answer(OutboxEntry)

    var client: ClientID? {
        switch self {
        case .token(let token, _, _): token.clientID
        case .answer(let entry): entry.clientID
        }
    }
}

/// The fate of a refresh token that no sign-in uses. The cases' words are logged and counted.
enum UnusedTokenFate: String, Sendable {
    case kept
    /// The token is in the outbox, to be revoked.
    case revocation
    /// Apple's answer is in the outbox, to be verified.
    case waiting
    case left
}

extension AppleTokenVault {
    /// Returns the pending token of a code that came with a verified identity token: it belongs to that token's person.
    func pendingToken(_ token: AppleToken?, of identity: VerifiedIdentity) throws -> PendingToken? {
        try token.map {
            .token($0, of: try owner(of: identity), revokingFrom: now + OutboxEntry.unusedTokenDelay)
        }
    }

    /// Returns the pending token of a code that came alone. A caller may have such a code from somebody else, and must
    /// not be able to end that person's authorization by it: so the token is never revoked.
    func pendingToken(_ token: AppleToken?, ofUnprovenBearer identity: VerifiedIdentity) throws -> PendingToken? {
        try token.map { .token($0, of: try owner(of: identity), revokingFrom: nil) }
    }

    /// Returns the owner of a token that came with a verified identity token.
    func owner(of identity: VerifiedIdentity) throws -> TokenOwner {
        TokenOwner(identity, team: try apple.client(of: identity).team)
    }

    /// Does work that uses a credential. If the work is refused or fails, it keeps the token that Apple gave for the
    /// credential.
    func keepingToken<Result>(
        of proven: ProvenCredential, _ work: () async throws -> Result
    ) async throws -> Result {
        try await keepingToken(pendingToken(of: proven), work)
    }

    /// A code of ours has its token kept already.
    private func pendingToken(of proven: ProvenCredential) -> PendingToken? {
        guard proven.ownCode == nil, let redeemed = proven.apple else { return nil }
        if redeemed.holdsAnswer, let entry = redeemed.waitingCode { return .answer(entry) }
        return redeemed.appleToken.map { token in
            .token(
                token, of: TokenOwner(proven.person, at: proven.at), revokingFrom: now + OutboxEntry.unusedTokenDelay)
        }
    }

    /// Does work that uses a pending token, and keeps the token for its person if the work is refused or fails: the
    /// account is disabled, the session has ended while Apple was asked, or the store does not answer.
    ///
    /// No harm is done if a transaction whose end is unknown has written the token already: both writes name it alike.
    func keepingToken<Result>(_ pending: PendingToken?, _ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            guard let pending else { throw error }
            let reason = (error as? AccountError)?.code.description ?? (error as? AppleIDError)?.code.description
            await keep(pending) { [logger] fate in
                logger.info(
                    "What was asked for is refused after Apple has redeemed its code.",
                    metadata: [
                        "client": "\(pending.client?.rawValue ?? "none")", "reason": "\(reason ?? "unexpected")",
                        "token": "\(fate.rawValue)",
                    ])
            }
            throw error
        }
    }

    /// Stores the token. If the database does not answer, it tries again in the background, and nobody waits for it.
    func keep(
        _ pending: PendingToken, then report: @escaping @Sendable (UnusedTokenFate) -> Void = { _ in }
    ) async {
        do {
            report(try await write(pending))
        } catch {
            finishing.begin { [self] in
                do {
                    report(try await environment.repeating { try await write(pending) })
                } catch let failure {
                    recordLoss(failure, ofTokenFor: pending.client)
                    report(.left)
                }
            }
        }
    }

    /// Keeps the tokens that came with an error of the exchange. It throws nothing: the person gets the exchange's error,
    /// also if the tokens are lost.
    /// - Parameter answer: makes the token or answer to keep; nil if it is left alone.
    func keepTokens(in error: AppleIDError, client: ClientID, answer: () throws -> PendingToken?) async {
        do {
            guard let pending = try answer() else { return recordUnverifiedAnswer(error, of: client, fate: .left) }
            await keep(pending) { [self] in recordUnverifiedAnswer(error, of: client, fate: $0) }
        } catch let failure {
            recordLoss(failure, ofTokenFor: client)
            recordUnverifiedAnswer(error, of: client, fate: .left)
        }
    }

    private func write(_ pending: PendingToken) async throws -> UnusedTokenFate {
        switch pending {
        case .token(let token, let owner, let revokingFrom):
            let isKept = try await store.keepUnused(token, of: owner, at: now, revokingFrom: revokingFrom)
            if isKept { return .kept }
            return revokingFrom == nil ? .left : .revocation
        case .answer(let entry):
            try await store.insertIntoOutbox(entry)
            return .waiting
        }
    }

    private func recordLoss(_ failure: any Error, ofTokenFor client: ClientID?) {
        logger.error(
            "A refresh token of Apple's could neither be kept nor revoked.",
            metadata: ["client": "\(client?.rawValue ?? "none")", "error": "\(failure)"])
    }
}

/// The owner of a refresh token of Apple's, where no session or identity says so.
package struct TokenOwner: Hashable, Sendable {
    package var team: TeamID
    package var subject: Subject
    /// When Apple issued the identity token that came with the authorization: from then on it is proof of it.
    package var authorizedAt: Timestamp
    /// `transfer_sub` of that identity token. It leads Apple to the person's former team as long as the authorization
    /// lasts.
    package var transferSubject: Subject?

    package init(team: TeamID, subject: Subject, authorizedAt: Timestamp, transferSubject: Subject? = nil) {
        self.team = team
        self.subject = subject
        self.authorizedAt = authorizedAt
        self.transferSubject = transferSubject
    }

    package var personHash: TokenHash { TokenHash.person(team: team, subject: subject) }
}

extension TokenOwner {
    init(_ identity: VerifiedIdentity, team: TeamID) {
        self.init(
            team: team, subject: identity.subject, authorizedAt: Timestamp(identity.issuedAt),
            transferSubject: identity.claims.transferSubject)
    }

    /// - Parameter moment: taken for the time of an authorization that does not say it.
    init(_ person: SignInRecord.Person, at moment: Timestamp) {
        self.init(
            team: person.team, subject: person.subject, authorizedAt: person.authorizedAt ?? moment,
            transferSubject: person.transferSubject)
    }
}

/// The treatment of the refresh token in an answer of Apple's that did not verify.
///
/// To revoke the token ends all that Apple lets this service do for its person, so its owner has to be known, and that
/// the answer is Apple's. The `c_hash` of the verified token beside a code binds the code to a person: then the tokens
/// for the code are that person's, whatever the token in the answer looks like.
enum UnverifiedAnswer: Sendable {
    /// The refresh token belongs to the person whom the token beside the code is about.
    case known(RefreshToken)
    /// The identity token beside the refresh token tells its owner, once Apple's key can be had.
    case later(WaitingCode.Answer)
    /// The refresh token is left alone: its owner is unknown, or may be another person. This service must not end the
    /// authorization of another person.
    case left

    /// Nil where Apple gave nothing.
    /// - Parameter isBound: whether the code was bound to a person by the identity token beside it.
    init?(_ error: AppleIDError, isBound: Bool) {
        guard let grant = error.cause as? UnverifiedGrant else { return nil }
        guard error.isAboutReading, let refreshToken = grant.refreshToken else {
            self = .left
            return
        }
        if isBound {
            self = .known(refreshToken)
        } else if error.leavesTokenUnverified, let identityToken = grant.identityToken {
            self = .later(
                WaitingCode.Answer(
                    identityToken: identityToken, accessToken: grant.accessToken?.rawValue,
                    refreshToken: refreshToken.rawValue))
        } else {
            self = .left
        }
    }
}

extension AppleIDError {
    /// Whether the token in the answer only could not be read, or not now, and nothing speaks against its being Apple's
    /// about the right person. Each code is decided about here, so that a new one does not compile before it is.
    fileprivate var isAboutReading: Bool {
        switch code.value {
        case .exchangeOutcomeUnknown, .unknownKey, .malformedToken, .tokenTooLarge, .malformedClaim, .subjectMissing,
            .notAnIdentityToken, .tokenExpired, .issuedInFuture:
            true
        // Not Apple's.
        case .unsupportedAlgorithm, .signatureInvalid,
            // Another person's, client's or request's, perhaps slipped in.
            .issuerMismatch, .audienceMismatch, .nonceMissing, .nonceMismatch, .subjectMismatch,
            .accessTokenHashMissing, .accessTokenHashMismatch, .codeHashMissing, .codeHashMismatch, .tokenReplayed:
            false
        // Errors of other calls, or errors without an answer of Apple's.
        case .keysUnavailable, .notANotification, .notificationTooOld, .malformedCallback, .invalidPrivateKey,
            .unknownClient, .invalidServerURL, .invalidAuthorizationRequest, .clientRejected, .grantRejected,
            .transferRejected, .migrationTokenExpired, .tokenMissing, .invalidTransfer, .replayUnknown,
            .appleUnavailable, .malformedAnswer:
            false
        }
    }

    /// Whether the token in the answer was not looked at, since something beside it cannot be read, or Apple's key for
    /// it could not be had, or not yet.
    fileprivate var leavesTokenUnverified: Bool { code == .unknownKey || code == .exchangeOutcomeUnknown }
}
