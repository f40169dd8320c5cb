extension AppleIDError {
    /// An error code. Its description is the snake_case word for logs and metrics. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Every code there is, so that our own targets can decide about each and the compiler misses none.
        package enum Value: String, CaseIterable {
            case malformedToken = "malformed_token"
            case tokenTooLarge = "token_too_large"
            case unsupportedAlgorithm = "unsupported_algorithm"
            case unknownKey = "unknown_key"
            case keysUnavailable = "keys_unavailable"
            case signatureInvalid = "signature_invalid"
            case issuerMismatch = "issuer_mismatch"
            case audienceMismatch = "audience_mismatch"
            case tokenExpired = "token_expired"
            case issuedInFuture = "issued_in_future"
            case subjectMissing = "subject_missing"
            case notAnIdentityToken = "not_an_identity_token"
            case notANotification = "not_a_notification"
            case notificationTooOld = "notification_too_old"
            case malformedClaim = "malformed_claim"
            case nonceMissing = "nonce_missing"
            case nonceMismatch = "nonce_mismatch"
            case codeHashMissing = "code_hash_missing"
            case codeHashMismatch = "code_hash_mismatch"
            case accessTokenHashMissing = "access_token_hash_missing"
            case accessTokenHashMismatch = "access_token_hash_mismatch"
            case malformedCallback = "malformed_callback"
            case invalidPrivateKey = "invalid_private_key"
            case unknownClient = "unknown_client"
            case invalidServerURL = "invalid_server_url"
            case invalidAuthorizationRequest = "invalid_authorization_request"
            case clientRejected = "client_rejected"
            case grantRejected = "grant_rejected"
            case subjectMismatch = "subject_mismatch"
            case exchangeOutcomeUnknown = "exchange_outcome_unknown"
            case transferRejected = "transfer_rejected"
            case migrationTokenExpired = "migration_token_expired"
            case tokenMissing = "token_missing"
            case invalidTransfer = "invalid_transfer"
            case tokenReplayed = "token_replayed"
            case replayUnknown = "replay_unknown"
            case appleUnavailable = "apple_unavailable"
            case malformedAnswer = "malformed_answer"
        }

        package let value: Value

        package init(value: Value) {
            self.value = value
        }

        /// The snake_case word, which stays the same for good, unlike a reason.
        public var description: String { value.rawValue }

        /// The token isn't three parts of strict base64url, or its header or payload isn't a strict JSON object.
        public static let malformedToken = Self(value: .malformedToken)
        /// The token is longer than any that Apple makes.
        public static let tokenTooLarge = Self(value: .tokenTooLarge)
        /// The header names another algorithm than RS256.
        public static let unsupportedAlgorithm = Self(value: .unsupportedAlgorithm)
        /// Apple's key set, fetched just now, has no such key.
        public static let unknownKey = Self(value: .unknownKey)
        /// Apple's keys could not be fetched, so nothing is known about the token. Transient.
        public static let keysUnavailable = Self(value: .keysUnavailable)
        /// The signature isn't that of the key that the token names.
        public static let signatureInvalid = Self(value: .signatureInvalid)
        /// The token's `iss` is none of the accepted ones (``AcceptedIssuers``).
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The token is for another client than the expected ones.
        public static let audienceMismatch = Self(value: .audienceMismatch)
        /// The token's `exp` is a minute ago or longer.
        public static let tokenExpired = Self(value: .tokenExpired)
        /// The token's `iat` or `nbf` is more than a minute ahead of this clock.
        public static let issuedInFuture = Self(value: .issuedInFuture)
        /// The token has no `sub`, or an empty one.
        public static let subjectMissing = Self(value: .subjectMissing)
        /// The token has `events`: it is a server-to-server notification.
        public static let notAnIdentityToken = Self(value: .notAnIdentityToken)
        /// The token has no `events`: it is no notification.
        public static let notANotification = Self(value: .notANotification)
        /// The notification has no `exp` and is older than seven days.
        public static let notificationTooOld = Self(value: .notificationTooOld)
        /// A claim that is needed is missing or of the wrong JSON type.
        public static let malformedClaim = Self(value: .malformedClaim)
        /// A nonce was expected and the token has none; also where it says that its platform supports none, unless
        /// ``IdentityExpectation/acceptsUnsupportedNonce``.
        public static let nonceMissing = Self(value: .nonceMissing)
        /// The token carries another nonce than the one expected, or one where none was sent.
        public static let nonceMismatch = Self(value: .nonceMismatch)
        /// The token has no `c_hash`, which was required.
        public static let codeHashMissing = Self(value: .codeHashMissing)
        /// The authorization code beside the token is not the one it was issued with.
        public static let codeHashMismatch = Self(value: .codeHashMismatch)
        /// The token has no `at_hash`, which was required.
        public static let accessTokenHashMissing = Self(value: .accessTokenHashMissing)
        /// The access token beside the token is not the one it was issued with.
        public static let accessTokenHashMismatch = Self(value: .accessTokenHashMismatch)
        /// The form that the browser brought back from Apple is too large or names a field twice.
        public static let malformedCallback = Self(value: .malformedCallback)
        /// The private key isn't a P-256 key as Apple's developer portal hands it out.
        public static let invalidPrivateKey = Self(value: .invalidPrivateKey)
        /// No client with this identifier is configured.
        public static let unknownClient = Self(value: .unknownClient)
        /// The emulator's URL is neither https nor http on a loopback address.
        public static let invalidServerURL = Self(value: .invalidServerURL)
        /// Apple would refuse this combination of parameters, on a page of its own or with a code that is spent by it.
        public static let invalidAuthorizationRequest = Self(value: .invalidAuthorizationRequest)
        /// Apple does not accept our client, its secret, or the form of our request.
        public static let clientRejected = Self(value: .clientRejected)
        /// The code or refresh token is expired, used, revoked, or was issued to another client.
        public static let grantRejected = Self(value: .grantRejected)
        /// The identity token in an answer is about another person than was asked about.
        public static let subjectMismatch = Self(value: .subjectMismatch)
        /// A code was sent, and no answer came that can be verified now. The code may be spent, so it is not sent
        /// again, and the person has to sign in again. The cause is an ``UnverifiedGrant`` if tokens came.
        public static let exchangeOutcomeUnknown = Self(value: .exchangeOutcomeUnknown)
        /// Apple does not tell who one person is at the other team: they have withdrawn the authorization, Apple
        /// doesn't know the subject, or the sixty days of the transfer are over. Go on with the next person.
        public static let transferRejected = Self(value: .transferRejected)
        /// The migration token is too old to ask Apple with. Get another, and go on with the same person.
        public static let migrationTokenExpired = Self(value: .migrationTokenExpired)
        /// The token that was passed in is empty: the store that should have kept it has lost it. It says nothing about
        /// the person.
        public static let tokenMissing = Self(value: .tokenMissing)
        /// The request is no transfer: it names no subject, or the client's own team as its target.
        public static let invalidTransfer = Self(value: .invalidTransfer)
        /// The token was used before.
        public static let tokenReplayed = Self(value: .tokenReplayed)
        /// Whether the token was used before could not be found out. Transient.
        public static let replayUnknown = Self(value: .replayUnknown)
        /// Apple gave no answer, or one that only says: not now. Apple may have carried the request out.
        public static let appleUnavailable = Self(value: .appleUnavailable)
        /// Apple's answer makes no sense.
        public static let malformedAnswer = Self(value: .malformedAnswer)

        var kind: Kind {
            switch value {
            case .keysUnavailable, .appleUnavailable, .malformedAnswer, .replayUnknown:
                .transient
            case .invalidPrivateKey, .unknownClient, .invalidServerURL, .invalidAuthorizationRequest, .clientRejected,
                .invalidTransfer, .tokenMissing, .migrationTokenExpired:
                .configuration
            case .grantRejected:
                .grantIsDead
            case .exchangeOutcomeUnknown:
                .signInAgain
            case .transferRejected:
                .onePerson
            case .malformedToken, .tokenTooLarge, .unsupportedAlgorithm, .unknownKey, .signatureInvalid,
                .issuerMismatch,
                .audienceMismatch, .tokenExpired, .issuedInFuture, .subjectMissing, .notAnIdentityToken,
                .notANotification, .notificationTooOld, .malformedClaim, .nonceMissing, .nonceMismatch,
                .codeHashMissing, .codeHashMismatch, .accessTokenHashMissing, .accessTokenHashMismatch,
                .malformedCallback, .subjectMismatch, .tokenReplayed:
                .token
            }
        }
    }
}
