import AppleID
import AppleIDTypes
import Logging

/// Checks credentials: finds out who they are about and whether they are fresh, with Apple's help where there is a code.
///
/// It writes nothing that a sign-in writes. If a code comes with an identity token, it first keeps the name, which Apple
/// gives once, and postpones revocations of the person's older tokens. Then it has the code redeemed, and the result is in
/// the ``ProvenCredential``. Whoever uses the result hands it to ``AppleTokenVault/keepingToken(of:_:)``, so that nothing
/// is lost when the use is refused.
///
/// An app's identity token and a code alone are checked at the end of this file. Each other kind of credential has its
/// check in a file of its own. The verifier is shared, as a class: most parts of the domain have it, and it is large.
final class CredentialVerifier: Sendable {
    /// How old an identity token may be.
    static let tokenLifetime: Duration = .minutes(10)
    /// How long a note of a used token, nonce or code counts: as long as the age limit, and a minute for clocks that differ.
    static let usedCredentialLifetime: Duration = tokenLifetime + .minutes(1)
    /// How long revocations of a person's older tokens are postponed while they sign in: longer than the service waits for
    /// Apple.
    static let revocationPostponement: Duration = .minutes(2)

    let configuration: AccountConfiguration
    let apple: AppleIDClient
    let providers: Providers
    let store: AccountTransactions
    let vault: AppleTokenVault
    let names: NameVault
    let challenges: Challenges
    let authorizationSeal: Seal
    let environment: AppleIDEnvironment

    init(
        configuration: AccountConfiguration, apple: AppleIDClient, providers: Providers, store: AccountTransactions,
        vault: AppleTokenVault, names: NameVault, challenges: Challenges, authorizationSeal: Seal,
        environment: AppleIDEnvironment
    ) {
        self.configuration = configuration
        self.apple = apple
        self.providers = providers
        self.store = store
        self.vault = vault
        self.names = names
        self.challenges = challenges
        self.authorizationSeal = authorizationSeal
        self.environment = environment
    }

    var now: Timestamp { Timestamp(environment.now()) }

    /// Checks a credential.
    ///
    /// Throws ``AppleIDError``, or `OpenIDConnectError` for another provider, for a token that does not verify, a nonce
    /// that does not fit and a code that is not redeemed, and ``AccountError`` with
    /// ``AccountError/Code/requestInvalid``, ``AccountError/Code/nonceInvalid``,
    /// ``AccountError/Code/challengeInvalid``, ``AccountError/Code/tokenTooOld``, ``AccountError/Code/codeMissing``,
    /// ``AccountError/Code/identityMismatch``, ``AccountError/Code/credentialMismatch``,
    /// ``AccountError/Code/alreadyUsed`` or, for codes alone, ``AccountError/Code/rateLimited``.
    /// - Parameter caller: its address counts the codes that Apple refuses.
    func prove(
        _ credential: Credential, for purpose: CredentialPurpose, from caller: Caller
    ) async throws -> ProvenCredential {
        switch credential {
        case .identityToken(let token, let request):
            let verified = try await verify(token, of: request, for: purpose)
            return try await finishProof(verified, for: purpose, from: caller)
        case .appleCode(let code, let request):
            return try await prove(codeAlone: code, of: request, for: purpose, from: caller)
        case .ownCode(let code, let request):
            return try await prove(ownCode: code, of: request, for: purpose)
        case .form(let response, let attempt):
            let verified = try await verify(response, by: attempt)
            do {
                return try await finishProof(verified, for: purpose, from: caller, isUnrepeatable: true)
            } catch let error as AccountError where error.code == .credentialMismatch {
                keepPendingProfile(inRefused: response, of: attempt)
                throw error
            }
        case .providerToken(let request):
            return try await prove(request, for: purpose)
        case .providerCallback(let callback, let attempt):
            return try await prove(callback, of: attempt, for: purpose)
        }
    }

    /// Does what web and app share once the identity token is verified: requires that it is fresh and unused, keeps the
    /// name, and has the code redeemed, if there is one.
    /// - Parameter isUnrepeatable: whether nobody can present the credential again after a refusal, because its attempt is
    ///   used.
    private func finishProof(
        _ verified: VerifiedToken, for purpose: CredentialPurpose, from caller: Caller, isUnrepeatable: Bool = false
    ) async throws -> ProvenCredential {
        let identity = verified.identity
        let moment = now
        try requireFresh(identity, at: moment)
        let purpose = try await movingTransferredPerson(of: identity, for: purpose, from: caller)
        try requirePersonAndNonce(of: identity, for: purpose)
        guard identity.nonce == .matched || verified.code != nil else {
            throw AccountError(
                .codeMissing, "the platform cannot carry a nonce, so an authorization code must prove the token fresh")
        }
        let person = try person(of: identity)
        let used = usedCredentials(token: identity, nonce: verified.usedNonce, code: verified.code, at: moment)
        if verified.code != nil { try await requireUnused(used, at: moment) }
        // Apple gives the name once, and the link or the upgrade of a browser may be refused below.
        let keepsNameBeforeCheck = if case .newWayIn = purpose { isUnrepeatable } else { false }
        if keepsNameBeforeCheck, let name = verified.name {
            try await names.keep(name, of: identity, team: person.team, at: moment)
        }
        try await checkNewWayIn(for: person, of: identity, purpose)
        if verified.code != nil {
            try await vault.postponeRevocations(
                of: person.team, identity.subject, until: moment + Self.revocationPostponement)
            if !keepsNameBeforeCheck, let name = verified.name {
                try await names.keep(name, of: identity, team: person.team, at: moment)
            }
        }
        // Before the code is redeemed: whoever is refused keeps what they have at Apple.
        if case .signIn = purpose { try await requireAccountAfterTransfer(of: identity) }
        return ProvenCredential(
            at: moment, client: identity.audience, person: person, name: verified.name, used: used,
            hasNonceProof: identity.nonce == .matched, apple: try await vault.redeem(verified, at: moment))
    }

    // MARK: Steps

    /// Returns the person as Apple describes them in an identity token.
    func person(of identity: VerifiedIdentity) throws -> SignInRecord.Person {
        let claims = identity.claims
        var person = SignInRecord.Person(
            team: try apple.client(of: identity).team, subject: identity.subject, email: claims.email,
            emailVerified: claims.emailVerified ?? false, isPrivateEmail: claims.isPrivateEmail ?? false,
            realUserStatus: claims.realUserStatus, organizationID: claims.organizationID,
            authorizedAt: Timestamp(secondsSince1970: claims.issuedAt))
        person.transferSubject = claims.transferSubject
        person.isAdmittedAfterTransfer = configuration.admitsTransferredPeople
        person.hasFormerTeam = configuration.formerTeam != nil
        return person
    }

    func requireFresh(_ identity: VerifiedIdentity, at moment: Timestamp) throws(AccountError) {
        guard moment - Timestamp(identity.issuedAt) < Self.tokenLifetime else {
            throw AccountError(.tokenTooOld, "the identity token was issued more than ten minutes ago")
        }
    }

    /// Requires a nonce for each purpose but a sign-in, and the session's person for a fresh proof.
    func requirePersonAndNonce(of identity: VerifiedIdentity, for purpose: CredentialPurpose) throws {
        if case .signIn = purpose { return }
        try purpose.requirePerson(.apple, try apple.client(of: identity).team, identity.subject)
        try requireNonce(of: identity)
    }

    private func requireNonce(of identity: VerifiedIdentity) throws {
        guard identity.nonce == .matched else {
            throw AppleIDError(.nonceMissing, "the identity token carries no nonce, and so proves nothing fresh")
        }
    }

    /// Asks whether an account can have the person's identity, where that is the purpose. If it can't, the credential is as
    /// good as before.
    func checkNewWayIn(
        for person: SignInRecord.Person, of identity: VerifiedIdentity, _ purpose: CredentialPurpose
    ) async throws {
        guard case .newWayIn(_, _, let check) = purpose else { return }
        try await check(person)
        try await vault.loggingIncompleteTransfer(for: identity.audience) {
            if try await store.awaitsTransfer(person) { throw AccountError.transferNotCompleted }
        }
        try await requireAccountAfterTransfer(of: identity)
    }

    /// Refuses a credential that was used before. Called before Apple is asked, so that a repeated request gets
    /// ``AccountError/Code/alreadyUsed``, and not Apple's error about a dead code.
    func requireUnused(_ used: [UsedCredential], at moment: Timestamp) async throws {
        if let kind = try await store.firstUsed(among: used, at: moment) {
            throw AccountError(.alreadyUsed, "this was used before", used: kind)
        }
    }

    /// The notes of everything that a credential uses up, always in this order.
    func usedCredentials(
        token: VerifiedIdentity?, nonce: UsedCredential?, code: AuthorizationCode?, at moment: Timestamp
    ) -> [UsedCredential] {
        let expiry = moment + Self.usedCredentialLifetime
        var used: [UsedCredential] = []
        if let token {
            used.append(
                UsedCredential(
                    kind: .identityToken, hash: TokenHash(bytes: token.signingInputDigest), expiresAt: expiry))
        }
        if let nonce {
            used.append(nonce)
        }
        if let code {
            used.append(UsedCredential(kind: .code, hash: TokenHash(of: code.rawValue), expiresAt: expiry))
        }
        return used
    }
}

/// An identity token of Apple's that was verified, with what came beside it.
struct VerifiedToken: Sendable {
    let identity: VerifiedIdentity
    /// The token itself, in compact form, from which ``identity`` was read.
    let identityToken: String
    /// The nonce that the token was compared with.
    let nonce: NonceExpectation
    let code: AuthorizationCode?
    /// Only where the authorization request had one: with a Services ID.
    let redirectURI: String?
    let name: PersonName?
    /// The note that the nonce is used. Nil for a nonce that an attempt holds: the attempt is used up with it.
    let usedNonce: UsedCredential?

    /// Whether the code is certainly that of the token's person: the token has a `c_hash`, which was compared with the code.
    var isBound: Bool { code != nil && identity.claims.codeHash != nil }
}

extension AppleIDClient {
    /// The registration of the client that a token was issued to.
    func client(of identity: VerifiedIdentity) throws(AccountError) -> ClientRegistration {
        guard let client = clients[identity.audience] else {
            throw AccountError(.configuration, "an audience is accepted whose client is not configured")
        }
        return client
    }
}

/// The verification of a credential that an app has from Apple: an identity token, or a code alone.
extension CredentialVerifier {
    /// Verifies the identity token of an app, and compares it with its nonce and, if there is one, its code.
    func verify(
        _ token: String, of request: NativeSignIn, for purpose: CredentialPurpose
    ) async throws -> VerifiedToken {
        guard let nonce = try nonce(of: request, for: purpose) else {
            throw AccountError(.requestInvalid, "an identity token needs the raw nonce beside it", field: "nonce")
        }
        // A token without a nonce needs a code beside it, which Apple then has to redeem. `finishProof` requires both.
        let identity = try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: configuration.nativeClients, nonce: nonce.expectation, acceptsUnsupportedNonce: true,
                authorizationCode: (request.authorizationCode?.rawValue).map(BindingExpectation.ifPresent)))
        return VerifiedToken(
            identity: identity, identityToken: token, nonce: nonce.expectation, code: request.authorizationCode,
            redirectURI: configuration.nativeReturnURLs[identity.audience], name: request.name,
            usedNonce: nonce.usedCredential(audience: identity.audience, until: now + Self.usedCredentialLifetime))
    }

    /// Proves a code that came without an identity token. Only Apple's answer to the code says whose it is, so a name that
    /// came with it can't be kept before Apple is asked.
    func prove(
        codeAlone code: AuthorizationCode, of request: NativeSignIn, for purpose: CredentialPurpose, from caller: Caller
    ) async throws -> ProvenCredential {
        if case .newWayIn = purpose {
            throw AccountError(.requestInvalid, "this needs the identity token", field: "identityToken")
        }
        let nonce = try nonce(of: request, for: purpose)
        guard let client = request.clientID, configuration.nativeClients.contains(client),
            apple.clients[client]?.kind == .app
        else {
            // The code of a Services ID came through a browser. Only the attempt that began there tells whose it is.
            throw AccountError(
                .requestInvalid, "a code without identity token needs the bundle id that obtained it",
                field: "clientID")
        }
        let moment = now
        let usedNonce = nonce?.usedCredential(audience: client, until: moment + Self.usedCredentialLifetime)
        try await requireUnused(usedCredentials(token: nil, nonce: usedNonce, code: code, at: moment), at: moment)
        if case .freshProof(_, _, let person) = purpose {
            // For a sign-in the person is unknown until Apple has redeemed the code.
            try await vault.postponeRevocations(
                of: person.team, person.subject, until: moment + Self.revocationPostponement)
        }
        let (identity, token) = try await vault.redeemAlone(
            code, client: client, nonce: nonce?.exchangeNonce, from: caller)
        return try await vault.keepingToken(try vault.pendingToken(token, ofUnprovenBearer: identity)) {
            try requireFresh(identity, at: moment)
            let purpose = try await movingTransferredPerson(of: identity, for: purpose, from: caller)
            try requirePersonAndNonce(of: identity, for: purpose)
            if case .signIn = purpose { try await requireAccountAfterTransfer(of: identity) }
            return ProvenCredential(
                at: moment, client: identity.audience, person: try person(of: identity), name: request.name,
                used: usedCredentials(token: identity, nonce: usedNonce, code: code, at: moment),
                hasNonceProof: identity.nonce == .matched, apple: RedeemedCode(appleToken: token))
        }
    }

    func nonce(of request: NativeSignIn, for purpose: CredentialPurpose) throws(AccountError) -> ClientNonce? {
        guard let raw = request.nonce else { return nil }
        return try ClientNonce(
            raw, for: purpose.challengePurpose, session: purpose.session, challenges: challenges)
    }
}
