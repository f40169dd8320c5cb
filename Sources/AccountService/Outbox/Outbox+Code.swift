import AppleID
import AppleIDTypes
import Foundation

extension Outbox {
    /// Redeems a code that had to wait, held against the same identity token as it would have been at the sign-in.
    ///
    /// The code may have reached Apple before, so a refusal says nothing about the person's authorization and ends no
    /// session.
    func redeem(_ entry: OutboxEntry) async -> OutboxOutcome {
        guard let client = entry.clientID, let sealed = entry.sealed else { return .expired(failure: "incomplete") }
        guard now - entry.createdAt < Self.codeLifetime else { return .expired(failure: "too_old") }
        do {
            let json = try codeSeal.open(sealed, row: entry.id.rawValue, client: client.rawValue)
            let waiting = try JSONDecoder().decode(WaitingCode.self, from: Data(json))
            let identity = try await apple.identityVerifier.verify(
                waiting.identityToken,
                expecting: IdentityExpectation(audiences: [client], nonce: waiting.expectation))
            let grant = try await apple.exchange(
                code: AuthorizationCode(waiting.code), client: client, nonce: .proven(by: identity),
                redirectURI: waiting.redirectURI)
            let token = try grant.refreshToken.map { token in
                try AppleToken(
                    sealing: token, client: client, with: tokenSeal, at: now, randomness: environment.randomBytes(10))
            }
            let owner = apple.clients[client].map { registered in
                TokenOwner(
                    team: registered.team, subject: grant.identity.subject,
                    authorizedAt: Timestamp(secondsSince1970: grant.identity.issuedAt))
            }
            return .redeemed(token, of: owner)
        } catch let error as AppleIDError where error.isWorthWaitingFor {
            return .again(at: rest(entry, .code), failure: error.code.description)
        } catch let error as AppleIDError {
            return .expired(failure: error.code.description)
        } catch {
            return .expired(failure: AccountError.Code.configuration.description)
        }
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
