/// An error that says why an access token is not accepted. Equal to another error with the same code.
///
/// Its description holds neither the token nor anything about the person.
public struct AccessTokenError: Error, Equatable, CustomStringConvertible {
    /// The code, for programs, logs and metrics.
    public let code: Code
    /// One sentence for people.
    public let reason: String
    /// The error behind this one: a `TransportFailure` when the key set couldn't be fetched, for example.
    public let cause: (any Error)?
    /// The file of the library that found the error; for bug reports.
    public let file: String
    /// The line in ``file``.
    public let line: UInt

    /// Creates an error. The library makes its own; tests of code that handles errors make theirs.
    public init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// A statement about who has to act on an error. Later versions may add kinds.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The client has to act: the token is refused. Answer 401 with `WWW-Authenticate: Bearer
        /// error="invalid_token"` (RFC 6750 §3).
        case token
        /// The operator has to act: a setting of this verifier is wrong.
        case configuration
        /// Nothing is known about the token now. The same call may succeed later. Answer 503.
        case transient
    }

    /// The kind, which follows from the code: the property to decide by.
    public var kind: Kind { code.kind }

    /// Returns whether the codes are the same; reasons, causes and places are not compared.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason. Fit for logs, though the code alone is better there.
    public var description: String { "\(code): \(reason)" }
}

extension AccessTokenError {
    /// An error code. Its description is the snake_case word for logs and metrics. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Every code there is, so that the compiler misses none where each is decided.
        package enum Value: String, CaseIterable {
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

        package let value: Value

        /// The snake_case word, which stays the same for good, unlike a reason.
        public var description: String { value.rawValue }

        /// The token isn't three parts of strict base64url, its header or payload isn't a strict JSON object, or its
        /// header names no key or demands an extension.
        public static let malformedToken = Self(value: .malformedToken)
        /// The token is longer than any that the account service makes.
        public static let tokenTooLarge = Self(value: .tokenTooLarge)
        /// The header names another algorithm than ES256.
        public static let unsupportedAlgorithm = Self(value: .unsupportedAlgorithm)
        /// The header's `typ` is not `at+jwt`. The token is an identity token, for example.
        public static let notAnAccessToken = Self(value: .notAnAccessToken)
        /// The account service's key set, fetched just now, has no such key.
        public static let unknownKey = Self(value: .unknownKey)
        /// The key set could not be fetched, so nothing is known about the token. Transient.
        public static let keysUnavailable = Self(value: .keysUnavailable)
        /// The signature isn't that of the key that the token names, or isn't R and S side by side.
        public static let signatureInvalid = Self(value: .signatureInvalid)
        /// A claim is missing or of the wrong JSON type.
        public static let malformedClaim = Self(value: .malformedClaim)
        /// Another account service made the token.
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The token is for other services than this one.
        public static let audienceMismatch = Self(value: .audienceMismatch)
        /// The token has expired. The client should refresh its session at the account service.
        public static let tokenExpired = Self(value: .tokenExpired)
        /// The token was made, or the person authenticated, later than now.
        public static let issuedInFuture = Self(value: .issuedInFuture)
        /// The person last proved longer ago who they are than the caller accepts. Answer 403, as the account service does,
        /// so that an app lets the person reauthenticate in place of renewing its session.
        public static let authenticationTooOld = Self(value: .authenticationTooOld)
        /// The issuer is no URL that tokens may come from, or there is no audience.
        public static let invalidConfiguration = Self(value: .invalidConfiguration)

        var kind: Kind {
            switch value {
            case .keysUnavailable: .transient
            case .invalidConfiguration: .configuration
            case .malformedToken, .tokenTooLarge, .unsupportedAlgorithm, .notAnAccessToken, .unknownKey,
                .signatureInvalid, .malformedClaim, .issuerMismatch, .audienceMismatch, .tokenExpired, .issuedInFuture,
                .authenticationTooOld:
                .token
            }
        }
    }
}
