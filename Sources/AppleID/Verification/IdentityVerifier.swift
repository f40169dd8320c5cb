import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verifies identity tokens.
public struct IdentityVerifier: Sendable {
    private let keys: KeyCache
    private let environment: AppleIDEnvironment

    public init(keys: KeyCache, environment: AppleIDEnvironment = .live) {
        self.keys = keys
        self.environment = environment
    }

    /// Applies every rule in order and stops at the first that fails.
    /// - Parameter token: a JSON Web Signature in compact form.
    /// - Throws: the failed rule's code, of kind ``AppleIDError/Kind/token``; or ``AppleIDError/Code/keysUnavailable``,
    ///   which says nothing about the token.
    public func verify(
        _ token: String, expecting expectation: IdentityExpectation
    ) async throws(AppleIDError) -> VerifiedIdentity {
        var evidence = Evidence(token: token, expectation: known(expectation))
        try await Verification.ofIdentityTokens.verify(&evidence, keys: keys)
        guard let identity = identity(in: evidence) else {
            throw AppleIDError(.malformedToken, "a rule left out what it should have found")
        }
        return identity
    }

    /// Applies every rule that can be applied and says what each found. Slow, for people.
    package func examine(_ token: String, expecting expectation: IdentityExpectation) async -> VerificationReport {
        var evidence = Evidence(token: token, expectation: known(expectation))
        let checks = await Verification.ofIdentityTokens.examine(&evidence, keys: keys)
        let hasFailure = checks.contains { if case .failed = $0.outcome { true } else { false } }
        // The rule is skipped, not failed, when no nonce is expected.
        if expectation.nonce == nil { evidence.nonce = .notExpected }
        return VerificationReport(
            checks: checks, claims: evidence.claims?.identityClaims(audience: evidence.audience),
            identity: hasFailure ? nil : identity(in: evidence))
    }

    private func identity(in evidence: borrowing Evidence) -> VerifiedIdentity? {
        guard let digest = evidence.digest, let audience = evidence.audience, let nonce = evidence.nonce,
            let claims = evidence.claims?.identityClaims(audience: audience)
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SHA256Digest.byteCount)
        bytes.append(contentsOf: digest)
        return VerifiedIdentity(claims: claims, signingInputDigest: bytes, nonce: nonce)
    }

    private func known(_ expectation: IdentityExpectation) -> Evidence.Expectation {
        Evidence.Expectation(
            audiences: expectation.audiences, nonce: expectation.nonce,
            authorizationCode: expectation.authorizationCode,
            accessToken: expectation.accessToken, now: (expectation.time ?? environment.now()).wholeSeconds)
    }
}
