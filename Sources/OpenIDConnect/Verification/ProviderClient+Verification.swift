public import AppleIDTypes
import StrictJSON
import StrictJWS

/// The nonce that an identity token from an app has to carry. Printing or mirroring it shows no value.
public enum ProviderNonce: Hashable, Sendable, Redacted {
    /// The token carries this value. Your server made the value and consumes it once.
    case issued(String)
    /// The token carries the lowercase hexadecimal SHA-256 of this value, which the app made and kept.
    ///
    /// An app that gives the provider a value of its own has to hash it: the token shows the value to whoever has the
    /// token.
    case hashed(ofRaw: String)
}

/// The values that an identity token has to have, beyond being the provider's.
struct IDTokenExpectation: Sendable {
    var audiences: [String]
    var nonce: ProviderNonce
    var code: String?
    var requiresCodeHash = false
    var accessToken: String?
    /// In seconds since `iat`.
    var maximumTokenAge: Int64?
    /// In seconds since `auth_time`.
    var maximumAuthenticationAge: Int64?
    var authenticationContexts: [String] = []
}

extension ProviderClient {
    /// The maximum size of a token, in bytes. The tokens of providers have less than 4 KB.
    private static let maximumBytes = 16_384

    /// Verifies an identity token that an app brings, and stops at the first rule that fails.
    /// - Parameters:
    ///   - nonce: the nonce that the app gave the provider. A token without a nonce is refused.
    ///   - code: the code that came beside the token, if any. The token then has to be bound to it (`c_hash`).
    ///   - maximumAge: refuses a token that was issued longer ago (`iat`), whatever its `exp` says.
    ///   - authenticatedWithin: refuses a token if the person authenticated at the provider longer ago (`auth_time`), or
    ///     if it doesn't say when.
    /// - Throws: the failed rule's code, of kind ``OpenIDConnectError/Kind/token``; or an error of kind
    ///   ``OpenIDConnectError/Kind/transient``, which says nothing about the token.
    public func verify(
        _ token: String, nonce: ProviderNonce, code: String? = nil, maximumAge: Duration? = nil,
        authenticatedWithin: Duration? = nil
    ) async throws(OpenIDConnectError) -> VerifiedProviderIdentity {
        try await verify(
            token,
            expecting: IDTokenExpectation(
                audiences: configuration.audiences, nonce: nonce, code: code, requiresCodeHash: code != nil,
                maximumTokenAge: maximumAge?.components.seconds,
                maximumAuthenticationAge: authenticatedWithin?.components.seconds))
    }

    func verify(
        _ token: String, expecting expectation: IDTokenExpectation
    ) async throws(OpenIDConnectError) -> VerifiedProviderIdentity {
        do throws(OpenIDConnectError) {
            let identity = try await applyRules(to: token, expecting: expectation)
            count("ok")
            return identity
        } catch {
            count(error.code.description)
            throw error
        }
    }

    private func applyRules(
        to token: String, expecting expectation: IDTokenExpectation
    ) async throws(OpenIDConnectError) -> VerifiedProviderIdentity {
        guard token.utf8.count <= Self.maximumBytes else {
            throw OpenIDConnectError(.tokenTooLarge, "the token has more than \(Self.maximumBytes) bytes")
        }
        let bytes = Array(token.utf8)
        let parts: TokenParts
        do throws(StrictJWSError) {
            parts = try TokenParts(bytes)
        } catch {
            throw OpenIDConnectError(.malformedToken, error.reason)
        }
        let header = try IDTokenHeader(parts.bytes[parts.header])
        let metadata = try await source.metadata()
        guard metadata.algorithms.contains(header.algorithm) else {
            throw OpenIDConnectError(
                .unsupportedAlgorithm, "the header names an algorithm that the provider doesn't announce")
        }
        let input = Array(bytes[..<parts.signingInputLength])
        let key = try await signingKey(header, parts.signature, over: input)
        let evidence = IDTokenEvidence(
            claims: try IDTokenClaims(parts.bytes[parts.payload]), algorithm: header.algorithm, key: key,
            configuration: configuration, expectation: expectation, now: environment.seconds)
        for rule in IDTokenRules.all { try rule.check(evidence) }
        return try VerifiedProviderIdentity(evidence, token: token, signingInput: input)
    }
}

extension ProviderClient {
    /// The key that signed a token: the one that the header names, or the only one there is for the algorithm.
    private func signingKey(
        _ header: IDTokenHeader, _ signature: ArraySlice<UInt8>, over input: [UInt8]
    ) async throws(OpenIDConnectError) -> ProviderKey {
        guard let id = header.keyID else {
            return try await onlyKey(header, signature, over: input)
        }
        let key = try await source.key(id)
        guard key.algorithms.contains(header.algorithm) else {
            throw OpenIDConnectError(.unsupportedAlgorithm, "the header's algorithm is not that of the named key")
        }
        guard key.isValid(signature, over: input, by: header.algorithm) else {
            throw OpenIDConnectError(.signatureInvalid, "the signature is not that of the named key over this token")
        }
        return key
    }

    private func onlyKey(
        _ header: IDTokenHeader, _ signature: ArraySlice<UInt8>, over input: [UInt8]
    ) async throws(OpenIDConnectError) -> ProviderKey {
        if let key = source.onlyKey(for: header.algorithm), key.isValid(signature, over: input, by: header.algorithm) {
            return key
        }
        // The provider may have a new key by now.
        try await source.fetchForUnnamedKey()
        guard let key = source.onlyKey(for: header.algorithm) else {
            throw OpenIDConnectError(
                .malformedToken,
                "the header names no key (kid), and the provider has several for the algorithm, or none")
        }
        guard key.isValid(signature, over: input, by: header.algorithm) else {
            throw OpenIDConnectError(.signatureInvalid, "the signature is not that of the provider's only key")
        }
        return key
    }
}

/// A header that an identity token can have (RFC 7515 §4, RFC 8725 §3.1).
///
/// A key in the header, or the address of a key (`jwk`, `jku`, `x5u`), is never used.
struct IDTokenHeader: Sendable {
    let algorithm: SigningAlgorithm
    /// The name of the key (`kid`); nil where the header names no key.
    let keyID: KeyID?

    init(_ bytes: ArraySlice<UInt8>) throws(OpenIDConnectError) {
        let header = try strictObject(bytes, named: "header", maximumDepth: 8)
        // RFC 7515 §4.1.11: a token that demands an extension is refused. `b64` (RFC 7797) would change what was
        // signed.
        guard header["crit"] == nil, header["b64"] == nil else {
            throw OpenIDConnectError(.malformedToken, "the header demands an extension (crit or b64)")
        }
        // RFC 8725 §3.11: our own access tokens, and others of a declared type, are no identity tokens.
        guard header["typ"].map({ $0.string?.lowercased() == "jwt" }) ?? true else {
            throw OpenIDConnectError(.malformedToken, "the header names another type of token (typ)")
        }
        guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init) else {
            throw OpenIDConnectError(
                .unsupportedAlgorithm, "the header names none of the algorithms ES256, RS256, PS256 and EdDSA")
        }
        self.algorithm = algorithm
        guard let member = header["kid"] else {
            keyID = nil
            return
        }
        guard let id = member.string, (1...255).contains(id.utf8.count) else {
            throw OpenIDConnectError(.malformedToken, "the header's kid is not a text of 1 to 255 bytes")
        }
        keyID = KeyID(id)
    }
}
