import AppleID
import AppleIDTypes
import Foundation
import Logging
import OpenIDConnect

/// Ends the authorization of an app with what the answer of Apple, or of another provider, brought: no account, no
/// session.
struct AuthorizationCompletion: Sendable {
    let configuration: AccountConfiguration
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let store: AccountTransactions
    let seal: Seal
    let environment: AppleIDEnvironment
    let logger: Logger

    private var now: Timestamp { Timestamp(environment.now()) }

    /// Keeps what Apple gave, or notes what went wrong: that belongs to the app, and reaches it by the redirect or the
    /// device's next question.
    func finish(_ id: AuthorizationID, _ attempt: Attempt, with response: AuthorizationResponse) async throws {
        do {
            try await keepResult(of: id, attempt, response)
        } catch {
            let failure = AuthorizationFailure(error)
            if failure != .cancelled { log(error, metadata: ["client": "\(attempt.clientID)"]) }
            _ = try await store.failAuthorization(id, failure, browserHash: attempt.browserHash, at: now)
        }
    }

    /// Keeps what another provider gave, or notes what went wrong.
    func finish(
        _ id: AuthorizationID, _ attempt: Attempt, with callback: ProviderCallback, of secrets: ProviderAttempt,
        at provider: String
    ) async throws {
        do {
            try await keepResult(of: id, attempt, callback, secrets)
        } catch {
            let failure = AuthorizationFailure(error)
            if failure != .cancelled { log(error, metadata: ["provider": "\(provider)"]) }
            _ = try await store.failAuthorization(id, failure, browserHash: attempt.browserHash, at: now)
        }
    }

    /// Logs the code of an error. An error from elsewhere is logged by its type, because its description may hold anything.
    private func log(_ error: any Error, metadata: Logger.Metadata) {
        let name =
            switch error {
            case let error as AccountError: error.code.description
            case let error as AppleIDError: error.code.description
            case let error as OpenIDConnectError: error.code.description
            default: String(reflecting: type(of: error))
            }
        var metadata = metadata
        metadata["error"] = "\(name)"
        logger.warning("An authorization failed.", metadata: metadata)
    }

    private func keepResult(
        of id: AuthorizationID, _ attempt: Attempt, _ callback: ProviderCallback, _ secrets: ProviderAttempt
    ) async throws {
        // Before the provider is asked: a code that nobody waits for is better left to die.
        guard let authorization = try await store.authorization(id) else { return }
        guard authorization.isOpen(at: now) else { return try await noteExpiry(of: id, by: attempt) }
        let identity = try await verifier.providers.client(secrets.provider).finish(callback, of: secrets)
        let person = SignInRecord.Person(of: identity)
        let finish = AuthorizationFinish(
            sealedResult: try seal.seal(
                AuthorizationResult(
                    user: identity.subject, identityToken: identity.identityToken, appleCode: nil,
                    email: person.email, nameParts: PersonName(of: identity)?.parts), for: id),
            tokenHash: TokenHash(bytes: identity.signingInputDigest),
            freshUntil: Timestamp(identity.issuedAt) + CredentialVerifier.tokenLifetime, appleToken: nil)
        if try await !store.finishAuthorization(id, with: finish, browserHash: attempt.browserHash, at: now) {
            try await noteExpiry(of: id, by: attempt)
        }
    }

    /// One that was withdrawn meanwhile gets nothing, and its last page says so; one that has expired sends the browser
    /// back to the app with that.
    private func keepResult(
        of id: AuthorizationID, _ attempt: Attempt, _ response: AuthorizationResponse
    ) async throws {
        let verified = try await verifier.verify(response, by: attempt)
        let identity = verified.identity
        try verifier.requireFresh(identity, at: now)
        let owner = try vault.owner(of: identity)
        if let name = verified.name { try await verifier.names.keep(name, of: identity, team: owner.team, at: now) }
        // Before Apple is asked: a code that nobody waits for is better left to die.
        guard let authorization = try await store.authorization(id) else { return }
        guard authorization.isOpen(at: now) else {
            try await noteExpiry(of: id, by: attempt)
            return
        }
        guard let app = configuration.apps.first(where: { $0.id == authorization.app }) else {
            throw AccountError(.configuration, "the app of an authorization is not configured any more")
        }
        let result = AuthorizationResult(
            user: identity.subject.rawValue, identityToken: response.identityToken ?? "",
            appleCode: app.handThrough ? verified.code?.rawValue : nil,
            // Apple's form has the field at the first consent only; the address that counts is the token's.
            email: response.user == nil ? nil : identity.email, nameParts: verified.name?.parts)
        let freshUntil = Timestamp(identity.issuedAt) + CredentialVerifier.tokenLifetime
        var appleToken: AppleToken?
        if !app.handThrough {
            // The sign-in that follows would be refused.
            try await verifier.requireAccountAfterTransfer(of: identity)
            // Until the app can sign in with it no more: what that writes withdraws them.
            try await vault.postponeRevocations(
                of: owner.team, identity.subject,
                until: max(freshUntil, now + CredentialVerifier.revocationPostponement))
            appleToken = try await vault.redeemNow(verified)
        }
        if let appleToken {
            // The app may give up, even now, or never come for it.
            await vault.keep(
                .token(appleToken, of: owner, revokingFrom: max(freshUntil, now) + OutboxEntry.unusedTokenDelay))
        }
        let finish = AuthorizationFinish(
            sealedResult: try seal.seal(result, for: id),
            tokenHash: TokenHash(bytes: identity.signingInputDigest),
            freshUntil: freshUntil, appleToken: appleToken)
        let isKept = try await store.finishAuthorization(id, with: finish, browserHash: attempt.browserHash, at: now)
        if !isKept {
            try await noteExpiry(of: id, by: attempt)
            logger.info("An authorization ended while Apple was asked.", metadata: ["app": "\(app.id)"])
        }
    }

    /// For an authorization that is not open: without an end, its time is over. One that has an end keeps it.
    private func noteExpiry(of id: AuthorizationID, by attempt: Attempt) async throws {
        _ = try await store.failAuthorization(id, .expired, browserHash: attempt.browserHash, at: now)
    }
}

/// The contents of an authorization's sealed result.
struct AuthorizationResult: Hashable, Sendable, Codable, Redacted {
    var user: String
    var identityToken: String
    /// Only for an app that redeems Apple's code itself.
    var appleCode: String?
    /// As Apple's form told at the first consent, and only then; as another provider's token says.
    var email: String?
    var nameParts: [String?]?

    var name: PersonName? { nameParts.flatMap(PersonName.init(parts:)) }
}

extension Seal {
    func seal(_ result: AuthorizationResult, for id: AuthorizationID) throws -> [UInt8] {
        try seal(Array(try JSONEncoder().encode(result)), row: id.rawValue)
    }

    func openResult(_ finish: AuthorizationFinish, of id: AuthorizationID) throws -> AuthorizationResult {
        try JSONDecoder().decode(
            AuthorizationResult.self, from: Data(try open(finish.sealedResult, row: id.rawValue)))
    }
}
