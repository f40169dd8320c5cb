extension OpenIDConnectError {
    /// An error code. Its description is the snake_case word for logs and metrics. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Every code there is, so that the compiler misses none where each is decided.
        package enum Value: String, CaseIterable {
            case malformedToken = "malformed_token"
            case tokenTooLarge = "token_too_large"
            case unsupportedAlgorithm = "unsupported_algorithm"
            case unknownKey = "unknown_key"
            case keysUnavailable = "keys_unavailable"
            case signatureInvalid = "signature_invalid"
            case malformedClaim = "malformed_claim"
            case issuerMismatch = "issuer_mismatch"
            case tenantRejected = "tenant_rejected"
            case audienceMismatch = "audience_mismatch"
            case tokenExpired = "token_expired"
            case issuedInFuture = "issued_in_future"
            case tokenTooOld = "token_too_old"
            case authenticationTooOld = "authentication_too_old"
            case authenticationContextMismatch = "authentication_context_mismatch"
            case nonceMissing = "nonce_missing"
            case nonceMismatch = "nonce_mismatch"
            case codeHashMissing = "code_hash_missing"
            case codeHashMismatch = "code_hash_mismatch"
            case accessTokenHashMismatch = "access_token_hash_mismatch"
            case malformedCallback = "malformed_callback"
            case stateMismatch = "state_mismatch"
            case providerMixUp = "provider_mix_up"
            case accessDenied = "access_denied"
            case authorizationRejected = "authorization_rejected"
            case grantRejected = "grant_rejected"
            case exchangeOutcomeUnknown = "exchange_outcome_unknown"
            case metadataChanged = "metadata_changed"
            case metadataIssuerMismatch = "metadata_issuer_mismatch"
            case malformedAnswer = "malformed_answer"
            case providerUnavailable = "provider_unavailable"
            case clientRejected = "client_rejected"
            case providerUnsupported = "provider_unsupported"
            case invalidConfiguration = "invalid_configuration"
            case invalidRequest = "invalid_request"
        }

        package let value: Value

        /// The snake_case word, which stays the same for good, unlike a reason.
        public var description: String { value.rawValue }

        /// The token isn't three parts of strict base64url, its header or payload isn't a strict JSON object, or its
        /// header names no key although the provider has several, or demands an extension.
        public static let malformedToken = Self(value: .malformedToken)
        /// The token is longer than 16,384 bytes.
        public static let tokenTooLarge = Self(value: .tokenTooLarge)
        /// The header names an algorithm that the provider doesn't announce, that this library doesn't take (`none`
        /// and HMAC among them), or that the key isn't for.
        public static let unsupportedAlgorithm = Self(value: .unsupportedAlgorithm)
        /// The provider's key set, fetched just now, has no such key.
        public static let unknownKey = Self(value: .unknownKey)
        /// The provider's keys could not be fetched, so nothing is known about the token. Transient.
        public static let keysUnavailable = Self(value: .keysUnavailable)
        /// The signature isn't that of the key that the token names.
        public static let signatureInvalid = Self(value: .signatureInvalid)
        /// A claim that is needed is missing, or a claim has the wrong type or length.
        public static let malformedClaim = Self(value: .malformedClaim)
        /// The token's `iss` isn't the provider's issuer.
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The token is from an organization that the configuration doesn't accept.
        public static let tenantRejected = Self(value: .tenantRejected)
        /// The token is for another client than the configured ones, for other clients too, or was handed to another.
        public static let audienceMismatch = Self(value: .audienceMismatch)
        /// The token's `exp` is a minute ago or longer.
        public static let tokenExpired = Self(value: .tokenExpired)
        /// The token's `iat`, `nbf` or `auth_time` is more than a minute ahead of this clock.
        public static let issuedInFuture = Self(value: .issuedInFuture)
        /// The token was issued longer ago than the caller accepts.
        public static let tokenTooOld = Self(value: .tokenTooOld)
        /// The person last authenticated longer ago than the request accepts, or the token doesn't say when.
        public static let authenticationTooOld = Self(value: .authenticationTooOld)
        /// The person authenticated in another way than the request accepts (`acr`).
        public static let authenticationContextMismatch = Self(value: .authenticationContextMismatch)
        /// The token has no nonce.
        public static let nonceMissing = Self(value: .nonceMissing)
        /// The token carries another nonce than the one expected.
        public static let nonceMismatch = Self(value: .nonceMismatch)
        /// The token came with a code and has no `c_hash`, which was required.
        public static let codeHashMissing = Self(value: .codeHashMissing)
        /// The code beside the token is not the one it was issued with.
        public static let codeHashMismatch = Self(value: .codeHashMismatch)
        /// The access token beside the token is not the one it was issued with.
        public static let accessTokenHashMismatch = Self(value: .accessTokenHashMismatch)
        /// The fields that the browser brought back are too large, come twice, or don't belong together.
        public static let malformedCallback = Self(value: .malformedCallback)
        /// The callback's state isn't that of the attempt.
        public static let stateMismatch = Self(value: .stateMismatch)
        /// The callback comes from another provider than the one that the attempt was begun at (RFC 9207, RFC 9700
        /// §4.4).
        public static let providerMixUp = Self(value: .providerMixUp)
        /// The person, or the provider's policy, said no.
        public static let accessDenied = Self(value: .accessDenied)
        /// The provider ended the attempt with an error other than a refusal by the person.
        public static let authorizationRejected = Self(value: .authorizationRejected)
        /// The code is expired, used, or was issued for another client, redirect URI or code verifier.
        public static let grantRejected = Self(value: .grantRejected)
        /// A code was sent, and no answer came that can be verified now. The code may be spent, so it is not sent
        /// again.
        public static let exchangeOutcomeUnknown = Self(value: .exchangeOutcomeUnknown)
        /// The provider's document names another token endpoint than when the attempt began. The code was sent nowhere.
        public static let metadataChanged = Self(value: .metadataChanged)
        /// The discovery document is another issuer's.
        public static let metadataIssuerMismatch = Self(value: .metadataIssuerMismatch)
        /// The provider's answer makes no sense.
        public static let malformedAnswer = Self(value: .malformedAnswer)
        /// The provider gave no answer, or one that only says: not now.
        public static let providerUnavailable = Self(value: .providerUnavailable)
        /// The provider does not accept our client, its authentication, or the form of our request.
        public static let clientRejected = Self(value: .clientRejected)
        /// The provider announces nothing that this library can use: no code flow, no S256, no usable signature
        /// algorithm, or no usable client authentication.
        public static let providerUnsupported = Self(value: .providerUnsupported)
        /// The configuration of a provider is wrong.
        public static let invalidConfiguration = Self(value: .invalidConfiguration)
        /// A value that the caller passed for a request is wrong.
        public static let invalidRequest = Self(value: .invalidRequest)

        var kind: Kind {
            switch value {
            case .keysUnavailable, .providerUnavailable, .malformedAnswer, .metadataIssuerMismatch:
                .transient
            case .clientRejected, .providerUnsupported, .invalidConfiguration, .invalidRequest:
                .configuration
            case .accessDenied, .authorizationRejected, .grantRejected, .exchangeOutcomeUnknown, .metadataChanged:
                .signInAgain
            case .malformedToken, .tokenTooLarge, .unsupportedAlgorithm, .unknownKey, .signatureInvalid,
                .malformedClaim, .issuerMismatch, .tenantRejected, .audienceMismatch, .tokenExpired, .issuedInFuture,
                .tokenTooOld, .authenticationTooOld, .authenticationContextMismatch, .nonceMissing, .nonceMismatch,
                .codeHashMissing, .codeHashMismatch, .accessTokenHashMismatch, .malformedCallback, .stateMismatch,
                .providerMixUp:
                .token
            }
        }
    }
}
