import Crypto
import StrictJWS

/// A rule that every identity token has to pass, once its signature is good.
protocol IDTokenRule: Sendable {
    /// Throws the code that the rule stands for.
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError)
}

/// The facts about a token whose signature is good.
struct IDTokenEvidence: Sendable {
    let claims: IDTokenClaims
    let algorithm: SigningAlgorithm
    let key: ProviderKey
    let configuration: ProviderConfiguration
    let expectation: IDTokenExpectation
    /// Seconds since 1970.
    let now: Int64

    /// The issuer under which the subject is known; nil for a token of another issuer.
    var issuer: String? {
        configuration.rules.issuer(claims.issuer, tenant: claims.tenant, configured: configuration.issuer)
    }
}

/// The rules, in the order in which they apply.
enum IDTokenRules {
    /// The maximum difference between two clocks, in both directions, in seconds.
    static let leeway: Int64 = 60

    static let all: [any IDTokenRule] = [
        IDTokenKindRule(), IDTokenIssuerRule(), IDTokenTenantRule(), IDTokenAudienceRule(), IDTokenTimeRule(),
        IDTokenNonceRule(), IDTokenHashRule(), IDTokenAuthenticationRule(),
    ]
}

/// RFC 8725 §2.8 and OpenID Connect Back-Channel Logout 1.0 §2.4: a token with `events` is no identity token.
struct IDTokenKindRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        guard !evidence.claims.hasEvents else {
            throw OpenIDConnectError(.malformedClaim, "the token has events: it is no identity token")
        }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.7 (2): `iss` is the provider's, byte by byte. Where one key set serves several
/// issuers, the key has to be one for this issuer (Microsoft's "Secure applications and APIs by validating claims").
struct IDTokenIssuerRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        guard evidence.issuer != nil else {
            throw OpenIDConnectError(
                .issuerMismatch, "the token's issuer is not that of provider \(evidence.configuration.id)")
        }
        guard evidence.configuration.rules.isTemplate, let keyIssuer = evidence.key.issuer else { return }
        let expected = TenantTemplate.filled(keyIssuer, with: evidence.claims.tenant ?? "")
        guard expected.isSpelt(as: evidence.claims.issuer) else {
            throw OpenIDConnectError(.issuerMismatch, "the token's key signs for another issuer")
        }
    }
}

/// The organizations that the configuration accepts: `tid` at Microsoft, `hd` at Google.
struct IDTokenTenantRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        if case .tenants(let accepted) = evidence.configuration.rules.issuers {
            guard let tenant = evidence.claims.tenant, accepted.accept(tenant) else {
                throw OpenIDConnectError(.tenantRejected, "the person's organization is not among the accepted ones")
            }
        }
        if let domain = evidence.configuration.rules.hostedDomain {
            guard let found = evidence.claims.hostedDomain, found.isSpelt(as: domain) else {
                throw OpenIDConnectError(.tenantRejected, "the person is not of the accepted Google Workspace domain")
            }
        }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.7 (3 to 5): the token is for one of our clients, for no other beside them, and was
/// handed to one of them (`azp`).
struct IDTokenAudienceRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        let claims = evidence.claims
        let own = evidence.configuration.audiences
        guard
            claims.audiences.contains(where: { found in
                evidence.expectation.audiences.contains { $0.isSpelt(as: found) }
            })
        else { throw OpenIDConnectError(.audienceMismatch, "the token is for another client (aud)") }
        guard claims.audiences.allSatisfy({ found in own.contains { $0.isSpelt(as: found) } }) else {
            throw OpenIDConnectError(.audienceMismatch, "the token is for clients of others too (aud)")
        }
        if let party = claims.authorizedParty {
            guard own.contains(where: { $0.isSpelt(as: party) }) else {
                throw OpenIDConnectError(.audienceMismatch, "the token was handed to another client (azp)")
            }
        } else if claims.audiences.count > 1 {
            throw OpenIDConnectError(
                .audienceMismatch, "the token is for several clients, and names none of them (azp)")
        }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.7 (9 and 10), RFC 7519 §4.1.4 to §4.1.6, with the leeway that they allow.
struct IDTokenTimeRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        let (claims, now) = (evidence.claims, evidence.now)
        guard now - claims.expiresAt < IDTokenRules.leeway else {
            throw OpenIDConnectError(.tokenExpired, "the token has expired (exp)")
        }
        for time in [claims.issuedAt, claims.notBefore, claims.authenticatedAt].compactMap(\.self) {
            guard time - now <= IDTokenRules.leeway else {
                throw OpenIDConnectError(.issuedInFuture, "the token is of the future (iat, nbf or auth_time)")
            }
        }
        if let maximum = evidence.expectation.maximumTokenAge {
            // The maximum can be any number, so nothing is added to it.
            guard now - claims.issuedAt - IDTokenRules.leeway <= maximum else {
                throw OpenIDConnectError(.tokenTooOld, "the token was issued too long ago (iat)")
            }
        }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.7 (11): the token answers our request. A nonce is always expected.
struct IDTokenNonceRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        let expected: [UInt8] =
            switch evidence.expectation.nonce {
            case .issued(let text): Array(text.utf8)
            case .hashed(let raw): raw.isEmpty ? [] : Self.hexadecimal(SHA256.hash(data: Array(raw.utf8)))
            }
        guard let nonce = evidence.claims.nonce else {
            throw OpenIDConnectError(.nonceMissing, "the token has no nonce")
        }
        guard ConstantTime.areEqual(nonce, expected) else {
            throw OpenIDConnectError(.nonceMismatch, "the nonce is not the expected one")
        }
    }

    private static func hexadecimal(_ digest: SHA256Digest) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.8 and §3.3.2.10: a token that names its access token or its code belongs to no other.
struct IDTokenHashRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        let (claims, expectation) = (evidence.claims, evidence.expectation)
        if let accessToken = expectation.accessToken, let hash = claims.accessTokenHash {
            guard ConstantTime.areEqual(hash, evidence.algorithm.halfHash(of: accessToken)) else {
                throw OpenIDConnectError(
                    .accessTokenHashMismatch, "the token belongs to another access token (at_hash)")
            }
        }
        guard let code = expectation.code else { return }
        guard let hash = claims.codeHash else {
            guard !expectation.requiresCodeHash else {
                throw OpenIDConnectError(.codeHashMissing, "the token is not bound to a code (c_hash)")
            }
            return
        }
        guard ConstantTime.areEqual(hash, evidence.algorithm.halfHash(of: code)) else {
            throw OpenIDConnectError(.codeHashMismatch, "the token belongs to another code (c_hash)")
        }
    }
}

/// OpenID Connect Core 1.0 §3.1.3.7 (12 and 13): when and how the person authenticated, where the request asked for it.
struct IDTokenAuthenticationRule: IDTokenRule {
    func check(_ evidence: IDTokenEvidence) throws(OpenIDConnectError) {
        let expectation = evidence.expectation
        if let maximum = expectation.maximumAuthenticationAge {
            guard let time = evidence.claims.authenticatedAt else {
                throw OpenIDConnectError(
                    .authenticationTooOld, "the token doesn't say when the person authenticated (auth_time)")
            }
            guard evidence.now - time - IDTokenRules.leeway <= maximum else {
                throw OpenIDConnectError(.authenticationTooOld, "the person authenticated too long ago (auth_time)")
            }
        }
        guard !expectation.authenticationContexts.isEmpty else { return }
        guard let context = evidence.claims.authenticationContext,
            expectation.authenticationContexts.contains(where: { $0.isSpelt(as: context) })
        else {
            throw OpenIDConnectError(
                .authenticationContextMismatch, "the person authenticated in another way than was asked for (acr)")
        }
    }
}
