public import AppleIDTransport
import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A verifier of Apple's identity tokens.
public struct IdentityVerifier: Sendable {
    private let keys: KeyCache
    private let issuers: AcceptedIssuers
    private let environment: AppleIDEnvironment
    private let counter: VerificationCounter
    /// Nil for a verifier that an ``AppleIDClient`` did not make.
    private let watch: AppleWatch?

    /// Creates a verifier for a server that verifies tokens and asks Apple for nothing but its keys.
    ///
    /// An ``AppleIDClient`` has a verifier already.
    public init(
        keys: KeyCache, issuers: AcceptedIssuers = .apple, environment: AppleIDEnvironment = .live,
        instrumentation: AppleIDInstrumentation = .system
    ) {
        self.init(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation, watch: nil)
    }

    init(
        keys: KeyCache, issuers: AcceptedIssuers, environment: AppleIDEnvironment,
        instrumentation: AppleIDInstrumentation, watch: AppleWatch?
    ) {
        self.keys = keys
        self.issuers = issuers
        self.environment = environment
        self.watch = watch
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

    /// Applies every rule in order, and refuses a token that was used before.
    /// - Parameter replay: the memory of used tokens; asked only about tokens that are good otherwise.
    /// - Throws: what ``verify(_:expecting:)`` throws; ``AppleIDError/Code/tokenReplayed``; and
    ///   ``AppleIDError/Code/replayUnknown`` when the memory fails, with its error as the cause.
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
        let now = now(expectation)
        do throws(AppleIDError) {
            switch try walk(token, expectation, now, key: nil) {
            case .done(let identity): return identity
            case .needsKey(let id):
                let key = try await keys.key(id)
                guard case .done(let identity) = try walk(token, expectation, now, key: key) else {
                    throw AppleIDError(.keysUnavailable, "the token's key was there and is not used")
                }
                return identity
            }
        } catch {
            throw watch?.explain(error) ?? error
        }
    }

    /// Applies the rules without waiting for anything. If the key isn't at hand, it returns the key's id.
    private func walk(
        _ token: String, _ expectation: IdentityExpectation, _ now: Int64, key: ApplePublicKey?
    ) throws(AppleIDError) -> Walk {
        var evidence = Evidence(token: token, expectation: known(expectation, now), key: key)
        if let id = try Verification.verify(&evidence, keys: keys, rules: IdentityTokenRules.self) {
            return .needsKey(id)
        }
        guard let identity = identity(in: evidence) else {
            throw AppleIDError(.malformedToken, "a rule left out what it should have found")
        }
        return .done(identity)
    }

    private enum Walk {
        case done(VerifiedIdentity)
        case needsKey(KeyID)
    }

    /// Applies every rule that can be applied and reports what each found.
    ///
    /// It is slow and for people. Logs get the code of an error.
    public func examine(_ token: String, expecting expectation: IdentityExpectation) async -> VerificationReport {
        var evidence = Evidence(token: token, expectation: known(expectation, now(expectation)))
        let checks = await Verification.examine(&evidence, keys: keys, rules: IdentityTokenRules.self)
        let hasFailure = checks.contains { if case .failed = $0.outcome { true } else { false } }
        // The rule is skipped, not failed, when no nonce is expected.
        if expectation.nonce == nil { evidence.nonce = .notExpected }
        return VerificationReport(
            checks: checks, claims: evidence.claims?.identityClaims(audience: evidence.audience.map { ClientID($0) }),
            identity: hasFailure ? nil : identity(in: evidence))
    }

    private func identity(in evidence: borrowing Evidence) -> VerifiedIdentity? {
        guard let digest = evidence.digest, let audience = evidence.audience, let nonce = evidence.nonce,
            let claims = evidence.claims
        else { return nil }
        return VerifiedIdentity(claims, audience: ClientID(audience), digest: digest, nonce: nonce)
    }

    private func now(_ expectation: IdentityExpectation) -> Int64 {
        (expectation.time ?? environment.now()).wholeSeconds
    }

    private func known(_ expectation: IdentityExpectation, _ now: Int64) -> Evidence.Expectation {
        Evidence.Expectation(
            issuers: issuers, audiences: expectation.audiences, nonce: expectation.nonce,
            acceptsUnsupportedNonce: expectation.acceptsUnsupportedNonce,
            authorizationCode: expectation.authorizationCode, accessToken: expectation.accessToken,
            now: now)
    }
}
