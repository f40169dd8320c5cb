import AppleID
import AppleIDTypes
import OpenIDConnect

/// The verification of credentials of other providers than Apple.
extension CredentialVerifier {
    /// How old an app's token may be, as the library counts: in whole seconds, and it forgives a minute. So a token is
    /// taken for less than ``tokenLifetime``, and the note that it was used outlives it, also if the provider's clock is a
    /// minute ahead.
    private static let maximumTokenAge: Duration = tokenLifetime - .seconds(61)

    /// Proves the identity token of another provider, which an app has, and compares it with its nonce.
    func prove(_ request: ProviderSignIn, for purpose: CredentialPurpose) async throws -> ProvenCredential {
        let client = try providers.client(request.provider)
        let nonce = try ClientNonce(
            request.nonce, for: purpose.challengePurpose, session: purpose.session, challenges: challenges)
        let identity = try await client.verify(
            request.identityToken, nonce: nonce.providerNonce, maximumAge: Self.maximumTokenAge,
            authenticatedWithin: purpose.freshness(at: client.configuration))
        let usedNonce = nonce.usedCredential(
            audience: ClientID(identity.clientID), until: now + Self.usedCredentialLifetime)
        return try await prove(
            identity, at: client.configuration, name: PersonName(of: identity) ?? request.name, usedNonce: usedNonce,
            for: purpose)
    }

    /// Redeems the code that a browser has brought back, and proves the token that the provider gave for it. The attempt has
    /// been taken, so nothing can be presented again.
    func prove(
        _ callback: ProviderCallback, of attempt: ProviderAttempt, for purpose: CredentialPurpose
    ) async throws -> ProvenCredential {
        let client = try providers.client(attempt.provider)
        let identity = try await client.finish(callback, of: attempt)
        return try await prove(
            identity, at: client.configuration, name: PersonName(of: identity), usedNonce: nil, for: purpose)
    }

    /// The steps that web and app share once the token is verified. The provider is asked for nothing more, and nothing
    /// of what it gave is kept beside the facts about the person.
    private func prove(
        _ identity: VerifiedProviderIdentity, at provider: ProviderConfiguration, name: PersonName?,
        usedNonce: UsedCredential?, for purpose: CredentialPurpose
    ) async throws -> ProvenCredential {
        let moment = now
        let person = SignInRecord.Person(of: identity)
        try purpose.requirePerson(person.provider, person.team, person.subject)
        let token = UsedCredential(
            kind: .identityToken, hash: TokenHash(bytes: identity.signingInputDigest),
            expiresAt: moment + Self.usedCredentialLifetime)
        if case .newWayIn(_, _, let check) = purpose { try await check(person) }
        // The library refuses a token without the nonce that it was asked with. But a provider may have answered without
        // asking the person anything, so the proof is as old as the provider says.
        let told = provider.tellsAuthenticationTime ? identity.authenticatedAt : nil
        let authenticatedAt = told.map { min(Timestamp($0), moment) }
        // The library forgives a minute. With such a proof the session would still be too old.
        if case .freshProof = purpose, let authenticatedAt, moment - authenticatedAt >= ProviderAttempts.proofAge {
            throw OpenIDConnectError(.authenticationTooOld, "the person authenticated too long ago (auth_time)")
        }
        return ProvenCredential(
            at: moment, client: ClientID(identity.clientID), person: person, name: name,
            used: [token] + (usedNonce.map { [$0] } ?? []),
            hasNonceProof: authenticatedAt != nil || !provider.tellsAuthenticationTime,
            toldAuthenticationTime: authenticatedAt)
    }
}

extension CredentialPurpose {
    /// How long ago the person may have authenticated at a provider that says when; nil where it doesn't matter, or the
    /// provider doesn't say.
    fileprivate func freshness(at provider: ProviderConfiguration) -> Duration? {
        guard provider.tellsAuthenticationTime else { return nil }
        switch self {
        case .freshProof, .newWayIn: return ProviderAttempts.proofAge
        case .signIn: return nil
        }
    }
}

extension SignInRecord.Person {
    /// The person as a provider describes them. The issuer stands in the place of Apple's team.
    ///
    /// Only an address that the provider has verified is taken, and only if mail can go to it. Any other one may be
    /// somebody else's. An address is never a key: it joins nothing and finds nobody.
    init(of identity: VerifiedProviderIdentity) {
        var address: String?
        if identity.isEmailVerified, let email = identity.email, EmailAddress.isAddress(email) { address = email }
        self.init(
            team: TeamID(identity.issuer), subject: Subject(identity.subject), email: address,
            emailVerified: address != nil, isPrivateEmail: false, realUserStatus: nil)
        provider = IdentityProvider(identity.provider)
        forgetsAddress = true
    }
}

extension PersonName {
    /// The name that a provider knows; nil without one.
    init?(of identity: VerifiedProviderIdentity) {
        let hasParts = identity.givenName != nil || identity.familyName != nil
        self.init(
            givenName: hasParts ? identity.givenName : identity.name, familyName: identity.familyName)
    }
}
