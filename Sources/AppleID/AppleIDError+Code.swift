extension AppleIDError {
    /// What kind of error; new codes may be added. The description is the snake_case word for logs and metrics.
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

        /// Stays the same for good, unlike a reason.
        public var description: String { value.rawValue }

        /// Not three parts of strict base64url, or a header or payload that is no strict JSON object.
        public static let malformedToken = Self(value: .malformedToken)
        /// Longer than any token Apple makes.
        public static let tokenTooLarge = Self(value: .tokenTooLarge)
        /// The header names another algorithm than RS256.
        public static let unsupportedAlgorithm = Self(value: .unsupportedAlgorithm)
        /// Apple's key set, fetched just now, has no such key.
        public static let unknownKey = Self(value: .unknownKey)
        /// Apple's keys could not be had, so nothing can be said about the token. Transient.
        public static let keysUnavailable = Self(value: .keysUnavailable)
        /// It is not what the key that the token names would have made.
        public static let signatureInvalid = Self(value: .signatureInvalid)
        /// Its `iss` is none of those that count (``AcceptedIssuers``).
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The token is for another client than the expected ones.
        public static let audienceMismatch = Self(value: .audienceMismatch)
        /// Its `exp` is a minute ago or longer.
        public static let tokenExpired = Self(value: .tokenExpired)
        /// Its `iat` or `nbf` is more than a minute ahead of this clock.
        public static let issuedInFuture = Self(value: .issuedInFuture)
        /// It has no `sub`, or an empty one.
        public static let subjectMissing = Self(value: .subjectMissing)
        /// It has `events`: a server-to-server notification.
        public static let notAnIdentityToken = Self(value: .notAnIdentityToken)
        /// It has no `events`.
        public static let notANotification = Self(value: .notANotification)
        /// Without `exp`, a notification counts for seven days.
        public static let notificationTooOld = Self(value: .notificationTooOld)
        /// A claim that is needed is missing or of the wrong JSON type.
        public static let malformedClaim = Self(value: .malformedClaim)
        /// A nonce was expected and the token has none; also where it says that its platform supports none, unless
        /// ``IdentityExpectation/acceptsUnsupportedNonce``.
        public static let nonceMissing = Self(value: .nonceMissing)
        /// The token carries another nonce than the one expected, or one where none was sent.
        public static let nonceMismatch = Self(value: .nonceMismatch)
        /// `c_hash` was required.
        public static let codeHashMissing = Self(value: .codeHashMissing)
        /// The authorization code beside the token is not the one it was issued with.
        public static let codeHashMismatch = Self(value: .codeHashMismatch)
        /// `at_hash` was required.
        public static let accessTokenHashMissing = Self(value: .accessTokenHashMissing)
        /// The access token beside the token is not the one it was issued with.
        public static let accessTokenHashMismatch = Self(value: .accessTokenHashMismatch)
        /// What the browser brought back from Apple is too large or names a field twice.
        public static let malformedCallback = Self(value: .malformedCallback)
        /// Not a P-256 private key, as Apple's developer portal hands it out.
        public static let invalidPrivateKey = Self(value: .invalidPrivateKey)
        /// No client with this identifier is configured.
        public static let unknownClient = Self(value: .unknownClient)
        /// An emulator is reached over https, or over http on a loopback address.
        public static let invalidServerURL = Self(value: .invalidServerURL)
        /// Apple would refuse this combination of parameters, on a page of its own or with a code that is spent by it.
        public static let invalidAuthorizationRequest = Self(value: .invalidAuthorizationRequest)
        /// Apple does not accept our client, its secret, or the form of our request.
        public static let clientRejected = Self(value: .clientRejected)
        /// The code or refresh token is expired, used, revoked, or was issued to another client.
        public static let grantRejected = Self(value: .grantRejected)
        /// The identity token in an answer is about another person than was asked about.
        public static let subjectMismatch = Self(value: .subjectMismatch)
        /// A code was sent, and no answer came that says what became of it, or one that cannot be verified now: it may
        /// be spent, and so it is not sent again. The person signs in again. The cause says what came, and is an
        /// ``UnverifiedGrant`` when that were tokens.
        public static let exchangeOutcomeUnknown = Self(value: .exchangeOutcomeUnknown)
        /// Apple does not tell who a person is at the other team: they have withdrawn the authorization, the subject is
        /// not known, or the sixty days of the transfer are over. About one person, not about the job.
        public static let transferRejected = Self(value: .transferRejected)
        /// The migration token is too old to ask Apple with. Get another, and go on with the same person.
        public static let migrationTokenExpired = Self(value: .migrationTokenExpired)
        /// An empty token was handed in: what should have kept it has lost it, which says nothing about the person.
        public static let tokenMissing = Self(value: .tokenMissing)
        /// What was asked for is no transfer: nobody's subject, or the own team as target.
        public static let invalidTransfer = Self(value: .invalidTransfer)
        /// The token was used before.
        public static let tokenReplayed = Self(value: .tokenReplayed)
        /// Whether the token was used before could not be found out. Transient.
        public static let replayUnknown = Self(value: .replayUnknown)
        /// No answer, or one that only says: not now. Whether Apple did what was asked is unknown.
        public static let appleUnavailable = Self(value: .appleUnavailable)
        /// Apple answered something that cannot be understood.
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
