/// An error of the account service; two are equal when their codes are.
///
/// It knows no HTTP, and its description holds neither personal data nor secrets.
public struct AccountError: Error, Equatable, CustomStringConvertible {
    /// The kind of error; two errors are equal when their codes are.
    public let code: Code
    /// The reason, for people, in one line without personal data or secrets.
    public let reason: String
    /// The kind of thing that came a second time, with ``Code/alreadyUsed``.
    package let used: UsedCredential.Kind?
    /// The member of the request that is wrong, with ``Code/requestInvalid``.
    public let field: String?
    /// How long to wait, with ``Code/rateLimited`` and ``Code/tooBusy``.
    public let retryAfter: Duration?
    /// The consent that the request lacks, with ``Code/consentRequired``.
    public private(set) var consent: Consent.Requirement?
    /// Why a password is not taken, with ``Code/passwordRefused``.
    public private(set) var refusal: PasswordRules.Refusal?
    /// The handle with which the person signs in to the other account, with ``Code/credentialAlreadyInUse`` from a link.
    public private(set) var conflict: CredentialConflict?
    /// The account that has taken the place of the session's, with ``Code/accountMerged``.
    public private(set) var mergedInto: AccountID?
    /// The error underneath, if there is one.
    public let cause: (any Error)?
    /// The source file that made the error.
    public let file: String
    /// The line in ``file``.
    public let line: UInt

    package init(
        _ code: Code, _ reason: String, used: UsedCredential.Kind? = nil, field: String? = nil,
        retryAfter: Duration? = nil,
        cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.used = used
        self.field = field
        self.retryAfter = retryAfter
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// An error with the code ``Code/consentRequired``.
    package init(lacking consent: Consent.Requirement, file: String = #fileID, line: UInt = #line) {
        self.init(
            .consentRequired, "the person must agree to the consent text \(consent.textVersion) first", file: file,
            line: line)
        self.consent = consent
    }

    /// An error with the code ``Code/passwordRefused``.
    package init(refusing refusal: PasswordRules.Refusal, file: String = #fileID, line: UInt = #line) {
        self.init(.passwordRefused, refusal.explanation, file: file, line: line)
        self.refusal = refusal
    }

    /// An error with the code ``Code/credentialAlreadyInUse``.
    package init(_ conflict: CredentialConflict, file: String = #fileID, line: UInt = #line) {
        self.init(
            .credentialAlreadyInUse,
            conflict.provider == nil
                ? "this Apple Account opens another account, to which the handle signs in"
                : "this person at the provider opens another account, to which the handle signs in",
            file: file, line: line)
        self.conflict = conflict
    }

    /// An error with the code ``Code/accountMerged``.
    package init(mergedInto account: AccountID, file: String = #fileID, line: UInt = #line) {
        self.init(.accountMerged, "the account was merged into another one", file: file, line: line)
        mergedInto = account
    }

    /// Two errors are equal if they have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason, for logs.
    public var description: String { "\(code): \(reason)" }
}

extension AccountError {
    /// The kind of an error; new codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Every code there is, so that our own targets can decide about each and the compiler misses none.
        package enum Value: String, CaseIterable {
            case accountDisabled = "account_disabled"
            case alreadyUsed = "already_used"
            case appUnknown = "app_unknown"
            case attemptUnknown = "attempt_unknown"
            case attemptExpired = "attempt_expired"
            case authorizationDenied = "authorization_denied"
            case authorizationExpired = "authorization_expired"
            case authorizationPending = "authorization_pending"
            case authorizationUnknown = "authorization_unknown"
            case browserMismatch = "browser_mismatch"
            case cancelled
            case challengeInvalid = "challenge_invalid"
            case codeMissing = "code_missing"
            case configuration
            case handleInvalid = "handle_invalid"
            case identityMismatch = "identity_mismatch"
            case identityTokenMissing = "identity_token_missing"
            case invalidText = "invalid_text"
            case keyTooYoung = "key_too_young"
            case nonceInvalid = "nonce_invalid"
            case rateLimited = "rate_limited"
            case refusedByApple = "refused_by_apple"
            case refreshTokenInvalid = "refresh_token_invalid"
            case refreshTokenReused = "refresh_token_reused"
            case requestInvalid = "request_invalid"
            case returnTargetMismatch = "return_target_mismatch"
            case sessionEnded = "session_ended"
            case sessionUnknown = "session_unknown"
            case slowDown = "slow_down"
            case accessTokenExpired = "access_token_expired"
            case tokenInvalid = "token_invalid"
            case tokenTooOld = "token_too_old"
            case transferNotCompleted = "transfer_not_completed"
            case unavailable
            case issuerMismatch = "wrong_apple"
            case databaseTooNew = "database_too_new"
            case deletionUnknown = "deletion_unknown"
            case credentialMismatch = "credential_mismatch"
            case requiresRecentLogin = "requires_recent_login"
            case consentRequired = "consent_required"
            case consentUnknown = "consent_unknown"
            case consentTextUnknown = "consent_text_unknown"
            case mailNotConfigured = "mail_not_configured"
            case linkUnknown = "link_unknown"
            case linkOfAnotherAccount = "link_of_another_account"
            case wrongCredentials = "wrong_credentials"
            case passwordRefused = "password_refused"
            case passwordsOff = "passwords_off"
            case tooBusy = "too_busy"
            case emailNeeded = "email_needed"
            case notByPassword = "not_by_password"
            case credentialAlreadyInUse = "credential_already_in_use"
            case identityUnknown = "identity_unknown"
            case lastWayIn = "last_way_in"
            case alreadyLinked = "already_linked"
            case providerUnknown = "provider_unknown"
            case accountMerged = "account_merged"
            case mergeChanged = "merge_changed"
        }

        package let value: Value

        /// The code as errors and logs show it.
        public var description: String { value.rawValue }

        /// Every one, for tests of what must know them all.
        package static var all: [Self] { Value.allCases.map { Self(value: $0) } }

        /// The operator has disabled the account.
        public static let accountDisabled = Self(value: .accountDisabled)
        /// Token, nonce, challenge or code: it was used before. ``AccountError/used`` says which.
        public static let alreadyUsed = Self(value: .alreadyUsed)
        /// No app with this id is configured, or it has no Services ID to ask Apple with.
        public static let appUnknown = Self(value: .appUnknown)
        /// No sign-in with this `state` was begun here, or it was finished already.
        public static let attemptUnknown = Self(value: .attemptUnknown)
        /// The sign-in was begun more than ten minutes ago.
        public static let attemptExpired = Self(value: .attemptExpired)
        /// The person cancelled at Apple, or did not allow the device.
        public static let authorizationDenied = Self(value: .authorizationDenied)
        /// The authorization or device code is too old, or was withdrawn.
        public static let authorizationExpired = Self(value: .authorizationExpired)
        /// The person is not done: ask again after the interval.
        public static let authorizationPending = Self(value: .authorizationPending)
        /// No authorization has this id, user code or device code.
        public static let authorizationUnknown = Self(value: .authorizationUnknown)
        /// The sign-in was begun in another browser, or the browser kept no cookie.
        public static let browserMismatch = Self(value: .browserMismatch)
        /// The person pressed Cancel at Apple.
        public static let cancelled = Self(value: .cancelled)
        /// Looks like a challenge of ours, but is forged, expired, or for another purpose.
        public static let challengeInvalid = Self(value: .challengeInvalid)
        /// An authorization code is needed and missing.
        public static let codeMissing = Self(value: .codeMissing)
        /// A setting of ours is wrong; the operator must act.
        public static let configuration = Self(value: .configuration)
        /// A handle that is unknown, used or expired, or came with a wrong verifier: not told apart.
        public static let handleInvalid = Self(value: .handleInvalid)
        /// Apple's two tokens of one sign-in are about different people, clients or nonces.
        public static let identityMismatch = Self(value: .identityMismatch)
        /// Apple's answer carried no identity token.
        public static let identityTokenMissing = Self(value: .identityTokenMissing)
        /// A text contains U+0000, which no store takes.
        public static let invalidText = Self(value: .invalidText)
        /// The next signing key may not be known everywhere yet. For operators only.
        package static let keyTooYoung = Self(value: .keyTooYoung)
        /// A nonce has 20 to 128 printable ASCII characters.
        public static let nonceInvalid = Self(value: .nonceInvalid)
        /// Too many wrong codes, authorizations or exchanges at once; ``AccountError/retryAfter`` says how long to
        /// wait.
        public static let rateLimited = Self(value: .rateLimited)
        /// Apple answered the browser with an error that is no cancellation.
        public static let refusedByApple = Self(value: .refusedByApple)
        /// The text is not a refresh token of a live session.
        public static let refreshTokenInvalid = Self(value: .refreshTokenInvalid)
        /// A refresh token came again too late: its session has been ended.
        public static let refreshTokenReused = Self(value: .refreshTokenReused)
        /// A member of the request has no value that can be taken; ``AccountError/field`` says which.
        public static let requestInvalid = Self(value: .requestInvalid)
        /// The redirect URI is none of the app's return targets.
        public static let returnTargetMismatch = Self(value: .returnTargetMismatch)
        /// Signed out, replaced or expired.
        public static let sessionEnded = Self(value: .sessionEnded)
        /// No live session of the account has this id.
        public static let sessionUnknown = Self(value: .sessionUnknown)
        /// The device asked sooner than the interval allows, which is five seconds longer from now on.
        public static let slowDown = Self(value: .slowDown)
        /// A good access token past its ten minutes: refresh.
        public static let accessTokenExpired = Self(value: .accessTokenExpired)
        /// The text is not an access token or session cookie of ours.
        public static let tokenInvalid = Self(value: .tokenInvalid)
        /// Sign-in takes an identity token up to ten minutes after it was issued.
        public static let tokenTooOld = Self(value: .tokenTooOld)
        /// The app has moved to another team at Apple, and the person has no account under that team; the operator must
        /// act.
        public static let transferNotCompleted = Self(value: .transferNotCompleted)
        /// The database cannot answer now.
        public static let unavailable = Self(value: .unavailable)
        /// The store belongs to another Apple: the real one, or another emulator.
        public static let issuerMismatch = Self(value: .issuerMismatch)
        /// The database was written by a newer program.
        public static let databaseTooNew = Self(value: .databaseTooNew)
        /// No deletion has this handle, or it was finished more than 30 days ago.
        public static let deletionUnknown = Self(value: .deletionUnknown)
        /// A fresh credential is about another person than the session.
        public static let credentialMismatch = Self(value: .credentialMismatch)
        /// The operation needs a sign-in of the last five minutes, proven by a nonce.
        public static let requiresRecentLogin = Self(value: .requiresRecentLogin)
        /// The account's address at Apple is hidden, and the person hasn't agreed to the current text.
        /// ``AccountError/consent`` says what to ask for.
        public static let consentRequired = Self(value: .consentRequired)
        /// The account has no such consent, or it was withdrawn before.
        public static let consentUnknown = Self(value: .consentUnknown)
        /// There is no consent text of this version.
        public static let consentTextUnknown = Self(value: .consentTextUnknown)
        /// The service sends no mail, so it can't verify a contact address.
        public static let mailNotConfigured = Self(value: .mailNotConfigured)
        /// A link from a mail is malformed, unknown, used or too old: not told apart.
        public static let linkUnknown = Self(value: .linkUnknown)
        /// A link from a mail belongs to another account than the session.
        public static let linkOfAnotherAccount = Self(value: .linkOfAnotherAccount)
        /// The password is wrong, or nobody signs in with the address: not told apart.
        public static let wrongCredentials = Self(value: .wrongCredentials)
        /// The rules refuse the password; ``AccountError/refusal`` says why.
        public static let passwordRefused = Self(value: .passwordRefused)
        /// The service takes no passwords.
        public static let passwordsOff = Self(value: .passwordsOff)
        /// Too many passwords wait to be hashed; ``AccountError/retryAfter`` says when to try again.
        public static let tooBusy = Self(value: .tooBusy)
        /// A link from a mail was opened in another browser than the one that asked for it, and came without the address.
        public static let emailNeeded = Self(value: .emailNeeded)
        /// The account has no password, so nothing can be done with one.
        public static let notByPassword = Self(value: .notByPassword)
        /// The Apple Account opens another account already.
        public static let credentialAlreadyInUse = Self(value: .credentialAlreadyInUse)
        /// The account has no such identity, or it was removed before.
        public static let identityUnknown = Self(value: .identityUnknown)
        /// The identity is the only one with which somebody can sign in to the account.
        public static let lastWayIn = Self(value: .lastWayIn)
        /// The account has an address to sign in with already.
        public static let alreadyLinked = Self(value: .alreadyLinked)
        /// No provider with this id is configured.
        public static let providerUnknown = Self(value: .providerUnknown)
        /// The session's account was merged into another one, which ``AccountError/mergedInto`` names.
        public static let accountMerged = Self(value: .accountMerged)
        /// The accounts are not as the person saw them before they confirmed a merge.
        public static let mergeChanged = Self(value: .mergeChanged)
    }
}
