extension AccessTokenError {
    /// What kind of error; new codes may be added. The description is the snake_case word for logs and metrics.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case malformedToken = "malformed_token"
            case tokenTooLarge = "token_too_large"
            case unsupportedAlgorithm = "unsupported_algorithm"
            case notAnAccessToken = "not_an_access_token"
            case unknownKey = "unknown_key"
            case keysUnavailable = "keys_unavailable"
            case signatureInvalid = "signature_invalid"
            case malformedClaim = "malformed_claim"
            case issuerMismatch = "issuer_mismatch"
            case audienceMismatch = "audience_mismatch"
            case tokenExpired = "token_expired"
            case issuedInFuture = "issued_in_future"
            case authenticationTooOld = "authentication_too_old"
            case invalidConfiguration = "invalid_configuration"
        }

        private let value: Value

        /// Stays the same for good, unlike a reason.
        public var description: String { value.rawValue }

        /// Not three parts of strict base64url, a header or payload that is no strict JSON object, or a header that
        /// names no key or demands an extension.
        public static let malformedToken = Self(value: .malformedToken)
        /// Longer than any token that the account service makes.
        public static let tokenTooLarge = Self(value: .tokenTooLarge)
        /// The header names another algorithm than ES256.
        public static let unsupportedAlgorithm = Self(value: .unsupportedAlgorithm)
        /// The header's `typ` is not `at+jwt`: an identity token, say.
        public static let notAnAccessToken = Self(value: .notAnAccessToken)
        /// The account service's key set, fetched just now, has no such key.
        public static let unknownKey = Self(value: .unknownKey)
        /// The key set could not be had, so nothing can be said about the token. Transient.
        public static let keysUnavailable = Self(value: .keysUnavailable)
        /// It is not what the key that the token names would have made, or in another form than R and S side by side.
        public static let signatureInvalid = Self(value: .signatureInvalid)
        /// A claim is missing or of the wrong JSON type.
        public static let malformedClaim = Self(value: .malformedClaim)
        /// Another account service made the token.
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The token is for other services than this one.
        public static let audienceMismatch = Self(value: .audienceMismatch)
        /// The client should refresh its session at the account service.
        public static let tokenExpired = Self(value: .tokenExpired)
        /// Made, or the person authenticated, later than now.
        public static let issuedInFuture = Self(value: .issuedInFuture)
        /// The person last proved longer ago who they are than was asked for.
        public static let authenticationTooOld = Self(value: .authenticationTooOld)
        /// The issuer is no URL that tokens may come from, or there is no audience.
        public static let invalidConfiguration = Self(value: .invalidConfiguration)

        var kind: Kind {
            switch value {
            case .keysUnavailable: .transient
            case .invalidConfiguration: .configuration
            default: .token
            }
        }
    }
}
