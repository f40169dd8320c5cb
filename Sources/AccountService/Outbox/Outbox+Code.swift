import AppleID
import AppleIDTypes
import Foundation

extension Outbox {
    /// Redeems a code that had to wait, held against the same identity token as it would have been at the sign-in; or
    /// verifies what Apple has given for one.
    ///
    /// The code may have reached Apple before, so a refusal says nothing about the person's authorization and ends no
    /// session.
    func redeem(_ entry: OutboxEntry) async -> OutboxOutcome {
        guard let client = entry.clientID, let sealed = entry.sealed else { return .expired(failure: "incomplete") }
        let json: [UInt8]
        do {
            json = try codeSeal.open(sealed, row: entry.id.rawValue, client: client.rawValue)
        } catch {
            // The key ring lacks the key: it can be mended, and a token of Apple's may be in there.
            return .parked(failure: AccountError.Code.configuration.description)
        }
        // What opens and cannot be read never can be.
        guard let waiting = try? JSONDecoder().decode(WaitingCode.self, from: Data(json)) else {
            return .expired(failure: "unreadable")
        }
        do {
            if let answer = waiting.answer {
                return try await verify(answer, to: waiting, client: client, givenAt: entry.createdAt)
            }
            guard now - entry.createdAt < Self.codeLifetime else { return .expired(failure: "too_old") }
            return try await redeem(waiting, of: entry, client: client)
        } catch let error as AppleIDError where error.isWorthWaitingFor {
            return .again(at: rest(entry, waiting.answer == nil ? .code : .answer), failure: error.code.description)
        } catch let error as AppleIDError where error.code == .unknownKey && waiting.answer != nil {
            // Apple's servers do not all know a new key at the same moment; the token's own end is the end of this.
            return .again(at: rest(entry, .answer), failure: error.code.description)
        } catch let error as AppleIDError {
            return .expired(failure: error.code.description)
        } catch {
            return .expired(failure: AccountError.Code.configuration.description)
        }
    }

    private func redeem(
        _ waiting: WaitingCode, of entry: OutboxEntry, client: ClientID
    ) async throws -> OutboxOutcome {
        guard let identity = try await identity(beside: waiting, client: client) else {
            return .expired(failure: "incomplete")
        }
        let asked = now
        do {
            let grant = try await apple.exchange(
                code: AuthorizationCode(waiting.code), client: client, nonce: .proven(by: identity),
                redirectURI: waiting.redirectURI)
            return try redeemed(grant.refreshToken, identity, at: asked)
        } catch let error as AppleIDError {
            switch UnverifiedAnswer(error, isBound: identity.claims.codeHash != nil) {
            case .known(let token): return try redeemed(token, identity, at: asked)
            case .later(let answer):
                var answered = waiting
                answered.answer = answer
                return .answered(
                    sealed: try codeSeal.seal(
                        Array(try JSONEncoder().encode(answered)), row: entry.id.rawValue, client: client.rawValue),
                    verifyAt: rest(entry, .answer), failure: error.code.description)
            case .left, nil: throw error
            }
        }
    }

    private func verify(
        _ answer: WaitingCode.Answer, to waiting: WaitingCode, client: ClientID, givenAt moment: Timestamp
    ) async throws -> OutboxOutcome {
        let beside = try await identity(beside: waiting, client: client)
        let identity = try await apple.verify(
            answer.identityToken, for: client, beside: answer.accessToken.map { AccessToken($0) },
            nonce: beside.map { .proven(by: $0) } ?? waiting.exchangeNonce)
        return try redeemed(RefreshToken(answer.refreshToken), identity, at: moment)
    }

    /// Of the token that came beside the code; nil without one.
    private func identity(beside waiting: WaitingCode, client: ClientID) async throws -> VerifiedIdentity? {
        guard let token = waiting.identityToken else { return nil }
        return try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [client], nonce: waiting.expectation, acceptsUnsupportedNonce: waiting.answer != nil,
                authorizationCode: .ifPresent(waiting.code)))
    }

    /// - Parameter moment: no later than Apple gave it, so that it does not take the place of a newer one.
    private func redeemed(
        _ token: RefreshToken?, _ identity: VerifiedIdentity, at moment: Timestamp
    ) throws -> OutboxOutcome {
        guard let team = apple.clients[identity.audience]?.team else {
            throw AppleIDError(.unknownClient, "the client of a code is not configured any more")
        }
        let kept = try token.map { token in
            try AppleToken(
                sealing: token, client: identity.audience, with: tokenSeal, at: moment,
                randomness: environment.randomBytes(10))
        }
        return .redeemed(kept, of: TokenOwner(identity, team: team))
    }
}

extension AppleIDError {
    /// Whether what failed at Apple may go well with the same code a little later: Apple could not be asked, or our
    /// configuration is wrong and may be mended.
    var isWorthWaitingFor: Bool {
        switch kind {
        case .transient, .configuration: true
        // Where Apple did answer, the code is spent.
        case .signInAgain: !(cause is UnverifiedGrant)
        case .token, .grantIsDead, .onePerson: false
        }
    }
}
