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
    private let issuers: AcceptedIssuers
    private let environment: AppleIDEnvironment
    private let counter: VerificationCounter

    public init(
        keys: KeyCache, issuers: AcceptedIssuers = .apple, environment: AppleIDEnvironment = .live,
        instrumentation: AppleIDInstrumentation = .system
    ) {
        self.keys = keys
        self.issuers = issuers
        self.environment = environment
        counter = VerificationCounter(kind: "identity_token", instrumentation: instrumentation)
    }

    /// Applies every rule in order and stops at the first that fails.
    /// - Parameter token: a JSON Web Signature in compact form.
    /// - Throws: the failed rule's code, of kind ``AppleIDError/Kind/token``; or ``AppleIDError/Code/keysUnavailable``,
    ///   which says nothing about the token.
    public func verify(
        _ token: String, expecting expectation: IdentityExpectation
    ) async throws(AppleIDError) -> VerifiedIdentity {
        try await counter.counting { () async throws(AppleIDError) in
            try await applyRules(to: token, expecting: expectation)
        }
    }

    /// The same, and refuses a token that was used before.
    /// - Parameter replay: what remembers used tokens; asked only about tokens that are good otherwise.
    /// - Throws: also ``AppleIDError/Code/tokenReplayed``; and ``AppleIDError/Code/replayUnknown`` when the memory fails,
    ///   with its error as the cause.
    public func verify(
        _ token: String, expecting expectation: IdentityExpectation, replay: some ReplayMemory
    ) async throws(AppleIDError) -> VerifiedIdentity {
        try await counter.counting { () async throws(AppleIDError) in
            let identity = try await applyRules(to: token, expecting: expectation)
            try await replay.use(ReplayIdentifier(identity))
            return identity
        }
    }

    private func applyRules(
        to token: String, expecting expectation: IdentityExpectation
    ) async throws(AppleIDError) -> VerifiedIdentity {
        var evidence = Evidence(token: token, expectation: known(expectation))
        try await Verification.ofIdentityTokens.verify(&evidence, keys: keys)
        guard let identity = identity(in: evidence) else {
            throw AppleIDError(.malformedToken, "a rule left out what it should have found")
        }
        return identity
    }

    /// Applies every rule that can be applied and says what each found. Slow, for people; logs get the code of an error.
    public func examine(_ token: String, expecting expectation: IdentityExpectation) async -> VerificationReport {
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
            issuers: issuers, audiences: expectation.audiences, nonce: expectation.nonce,
            authorizationCode: expectation.authorizationCode,
            accessToken: expectation.accessToken, now: (expectation.time ?? environment.now()).wholeSeconds)
    }
}
