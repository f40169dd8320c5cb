/// A machine-readable code that says why the service refused a request.
///
/// It is a struct, so that a code of a newer server decodes and compares unchanged. Each code has one HTTP status, which
/// its description names. `Docs/errors.md` lists the codes too.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The code as the response spells it, in snake_case.
    public let rawValue: String

    /// Makes a code, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code as the response spells it.
    public var description: String { rawValue }

    /// Makes one of the codes of this version.
    package init(_ known: Known) {
        rawValue = known.rawValue
    }

    /// The codes of this version. The service decides about each of them, so that a new one does not compile before its
    /// status, its page and its level in the log are chosen.
    package enum Known: String, CaseIterable, Sendable, CustomStringConvertible {
        // The request itself
        case invalidRequest = "invalid_request"
        case malformedJSON = "malformed_json"
        case malformedForm = "malformed_form"
        case badRequest = "bad_request"
        case crossSiteRequest = "cross_site_request"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case requestTimeout = "request_timeout"
        case bodyTooLarge = "body_too_large"
        case uriTooLong = "uri_too_long"
        case unsupportedMediaType = "unsupported_media_type"
        // The session
        case accessTokenMissing = "access_token_missing"
        case accessTokenInvalid = "access_token_invalid"
        case accessTokenExpired = "access_token_expired"
        case sessionEnded = "session_ended"
        case refreshTokenInvalid = "refresh_token_invalid"
        case accountDisabled = "account_disabled"
        case sessionUnknown = "session_unknown"
        case refreshTokenReused = "refresh_token_reused"
        // The credential of a sign-in
        case malformedToken = "malformed_token"
        case tokenTooLarge = "token_too_large"
        case malformedClaim = "malformed_claim"
        case unsupportedAlgorithm = "unsupported_algorithm"
        case unknownKey = "unknown_key"
        case signatureInvalid = "signature_invalid"
        case issuerMismatch = "issuer_mismatch"
        case audienceMismatch = "audience_mismatch"
        case tokenExpired = "token_expired"
        case tokenTooOld = "token_too_old"
        case issuedInFuture = "issued_in_future"
        case subjectMissing = "subject_missing"
        case notAnIdentityToken = "not_an_identity_token"
        case notANotification = "not_a_notification"
        case nonceMissing = "nonce_missing"
        case nonceMismatch = "nonce_mismatch"
        case nonceInvalid = "nonce_invalid"
        case challengeInvalid = "challenge_invalid"
        case codeHashMissing = "code_hash_missing"
        case codeHashMismatch = "code_hash_mismatch"
        case accessTokenHashMissing = "access_token_hash_missing"
        case accessTokenHashMismatch = "access_token_hash_mismatch"
        case tokenAlreadyUsed = "token_already_used"
        case nonceAlreadyUsed = "nonce_already_used"
        case challengeAlreadyUsed = "challenge_already_used"
        case codeAlreadyUsed = "code_already_used"
        case codeMissing = "code_missing"
        case grantRejected = "grant_rejected"
        case identityMismatch = "identity_mismatch"
        case transferNotCompleted = "transfer_not_completed"
        // Proving again who one is
        case credentialMismatch = "credential_mismatch"
        case requiresRecentLogin = "requires_recent_login"
        // Passwords, links that sign in, and the upgrade to Apple
        case wrongCredentials = "wrong_credentials"
        case passwordRefused = "password_refused"
        case passwordsOff = "passwords_off"
        case tooBusy = "too_busy"
        case emailNeeded = "email_needed"
        case notByPassword = "not_by_password"
        case credentialAlreadyInUse = "credential_already_in_use"
        // Several ways in
        case identityUnknown = "identity_unknown"
        case lastWayIn = "last_way_in"
        case alreadyLinked = "already_linked"
        // Other providers than Apple
        case unknownProvider = "unknown_provider"
        case invalidProviderToken = "invalid_provider_token"
        case signInAgain = "sign_in_again"
        case providerUnavailable = "provider_unavailable"
        case providerRefusedClient = "provider_refused_client"
        case accountMerged = "account_merged"
        case mergeChanged = "merge_changed"
        // The profile and consent
        case consentRequired = "consent_required"
        case consentUnknown = "consent_unknown"
        case consentTextUnknown = "consent_text_unknown"
        case mailNotConfigured = "mail_not_configured"
        case linkUnknown = "link_unknown"
        case linkOfAnotherAccount = "link_of_another_account"
        // The end of an account
        case deletionUnknown = "deletion_unknown"
        // The web flow, on pages only
        case malformedCallback = "malformed_callback"
        case attemptUnknown = "attempt_unknown"
        case attemptExpired = "attempt_expired"
        case browserMismatch = "browser_mismatch"
        case browserCookieMissing = "browser_cookie_missing"
        case cancelled
        case identityTokenMissing = "identity_token_missing"
        case refusedByApple = "refused_by_apple"
        // The authorization that an app without Apple's framework begins
        case appUnknown = "app_unknown"
        case redirectURIMismatch = "redirect_uri_mismatch"
        case authorizationUnknown = "authorization_unknown"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expired
        case denied
        case handleInvalid = "handle_invalid"
        case rateLimited = "rate_limited"
        // This server and Apple
        case `internal`
        case configuration
        case unavailable
        case keysUnavailable = "keys_unavailable"
        case appleUnavailable = "apple_unavailable"
        case appleMalformedAnswer = "apple_malformed_answer"
        case appleConfiguration = "apple_configuration"

        package var description: String { rawValue }
    }
}

// MARK: The request itself

extension ErrorCode {
    /// 400. A member, field or parameter is missing or has the wrong type or value. `details.field` says which.
    public static let invalidRequest = Self(.invalidRequest)
    /// 400. The body isn't JSON as RFC 8259 defines it, names a member twice, is nested too deeply, isn't UTF-8, or
    /// holds U+0000.
    public static let malformedJSON = Self(.malformedJSON)
    /// 400. The body isn't a form: it has bad percent-encoding, isn't UTF-8, holds U+0000, or has a field twice.
    public static let malformedForm = Self(.malformedForm)
    /// 400. The request isn't HTTP that this server reads.
    public static let badRequest = Self(.badRequest)
    /// 403. A page's form was sent from another site, or by a browser that doesn't say from where.
    public static let crossSiteRequest = Self(.crossSiteRequest)
    /// 404. Nothing is at this path.
    public static let notFound = Self(.notFound)
    /// 405. The path takes other methods. The `Allow` header lists them.
    public static let methodNotAllowed = Self(.methodNotAllowed)
    /// 408. The body did not arrive in time.
    public static let requestTimeout = Self(.requestTimeout)
    /// 413. The body is larger than 64 KB.
    public static let bodyTooLarge = Self(.bodyTooLarge)
    /// 414. Path and query are too long.
    public static let uriTooLong = Self(.uriTooLong)
    /// 415. The body has another `Content-Type` than this call takes, or none.
    public static let unsupportedMediaType = Self(.unsupportedMediaType)
}

// MARK: The session

extension ErrorCode {
    /// 401. The call needs `Authorization: Bearer` with an access token.
    public static let accessTokenMissing = Self(.accessTokenMissing)
    /// 401. The access token isn't from this server, or isn't for it.
    public static let accessTokenInvalid = Self(.accessTokenInvalid)
    /// 401. The access token is older than ten minutes. Refresh the session and repeat the call.
    public static let accessTokenExpired = Self(.accessTokenExpired)
    /// 401. The session was signed out or replaced, has expired, or ended after a notification from Apple. Sign in
    /// again.
    public static let sessionEnded = Self(.sessionEnded)
    /// 401. The refresh token belongs to no live session. Sign in again.
    public static let refreshTokenInvalid = Self(.refreshTokenInvalid)
    /// 403. The operator of this server has disabled the account.
    public static let accountDisabled = Self(.accountDisabled)
    /// 404. No live session of the caller's account has this id.
    public static let sessionUnknown = Self(.sessionUnknown)
    /// 401. The refresh token was exchanged before, and this request doesn't repeat one whose response was lost. The
    /// service has ended the session. Sign in again.
    public static let refreshTokenReused = Self(.refreshTokenReused)
}

// MARK: The credential of a sign-in

extension ErrorCode {
    /// 400. The identity token is not a signed token in three parts.
    public static let malformedToken = Self(.malformedToken)
    /// 400. The identity token is larger than any of Apple's.
    public static let tokenTooLarge = Self(.tokenTooLarge)
    /// 400. A claim of the identity token has another type than Apple gives it.
    public static let malformedClaim = Self(.malformedClaim)
    /// 401. The identity token is not signed with RS256.
    public static let unsupportedAlgorithm = Self(.unsupportedAlgorithm)
    /// 401. Apple has no key with the token's `kid`.
    public static let unknownKey = Self(.unknownKey)
    /// 401. The signature is not Apple's.
    public static let signatureInvalid = Self(.signatureInvalid)
    /// 401. The token's `iss` is not Apple.
    public static let issuerMismatch = Self(.issuerMismatch)
    /// 401. The token was made for an app or website that this server does not know, or for a Services ID that is not
    /// listed for apps.
    public static let audienceMismatch = Self(.audienceMismatch)
    /// 401. The token's `exp` is past.
    public static let tokenExpired = Self(.tokenExpired)
    /// 401. The token's `iat` is more than ten minutes ago, or before the person stopped using the app. Sign in again.
    public static let tokenTooOld = Self(.tokenTooOld)
    /// 401. The token's `iat` or `nbf` lies ahead of this server's clock.
    public static let issuedInFuture = Self(.issuedInFuture)
    /// 401. The identity token has no subject.
    public static let subjectMissing = Self(.subjectMissing)
    /// 401. The token is one of Apple's notifications.
    public static let notAnIdentityToken = Self(.notAnIdentityToken)
    /// 401. The notification is an identity token.
    public static let notANotification = Self(.notANotification)
    /// 401. The token carries no nonce, although Apple supports it there.
    public static let nonceMissing = Self(.nonceMissing)
    /// 401. The token's nonce is neither the hash of the nonce sent nor a challenge of this server.
    public static let nonceMismatch = Self(.nonceMismatch)
    /// 400. A nonce has 20 to 128 printable ASCII characters.
    public static let nonceInvalid = Self(.nonceInvalid)
    /// 401. The challenge is forged, expired, or was made for another purpose or session.
    public static let challengeInvalid = Self(.challengeInvalid)
    /// 401. The token has no `c_hash` to tie it to the authorization code.
    public static let codeHashMissing = Self(.codeHashMissing)
    /// 401. The authorization code is not the one that the token was issued with.
    public static let codeHashMismatch = Self(.codeHashMismatch)
    /// 401. The token has no `at_hash` to tie it to Apple's access token.
    public static let accessTokenHashMissing = Self(.accessTokenHashMissing)
    /// 401. The access token of Apple's is not the one that the identity token was issued with.
    public static let accessTokenHashMismatch = Self(.accessTokenHashMismatch)
    /// 401. The identity token was used before.
    public static let tokenAlreadyUsed = Self(.tokenAlreadyUsed)
    /// 401. The nonce was used before.
    public static let nonceAlreadyUsed = Self(.nonceAlreadyUsed)
    /// 401. The challenge was used before.
    public static let challengeAlreadyUsed = Self(.challengeAlreadyUsed)
    /// 401. The authorization code was used before.
    public static let codeAlreadyUsed = Self(.codeAlreadyUsed)
    /// 400. An authorization code is needed and missing.
    public static let codeMissing = Self(.codeMissing)
    /// 401. Apple does not redeem the authorization code: it is used, expired, or another client's.
    public static let grantRejected = Self(.grantRejected)
    /// 401. Apple's two tokens of one sign-in are about different people, clients or nonces.
    public static let identityMismatch = Self(.identityMismatch)
    /// 403. The app has moved to another team at Apple, and the person's account hasn't been moved to it. The operator
    /// of this server must act, with `siwa transfer`.
    public static let transferNotCompleted = Self(.transferNotCompleted)
}

// MARK: Proving again who one is

extension ErrorCode {
    /// 403. The credential belongs to another person than the session.
    public static let credentialMismatch = Self(.credentialMismatch)
    /// 403. The call needs a sign-in of the last five minutes, proven by a nonce. Reauthenticate and repeat the call.
    public static let requiresRecentLogin = Self(.requiresRecentLogin)
}

// MARK: Passwords, links that sign in, and the upgrade to Apple

extension ErrorCode {
    /// 401. The password is wrong, or nobody signs in with this address. The service doesn't say which.
    public static let wrongCredentials = Self(.wrongCredentials)
    /// 400. The service doesn't take this password, whoever chooses it. `details.reason` and `details.minimumLength`
    /// say why.
    public static let passwordRefused = Self(.passwordRefused)
    /// 404. This server takes no passwords.
    public static let passwordsOff = Self(.passwordsOff)
    /// 503. Too many people sign in by password at this moment. `details.retryAfter` and the `Retry-After` header say
    /// how many seconds to wait.
    public static let tooBusy = Self(.tooBusy)
    /// 409. The link was asked for in another browser or app. Ask the person for the address, and repeat the call with
    /// it.
    public static let emailNeeded = Self(.emailNeeded)
    /// 409. The account has no password to check or to change; or its person signs in with Apple already, so there is
    /// nothing to upgrade.
    public static let notByPassword = Self(.notByPassword)
    /// 409. The Apple Account, or the person at another provider, opens another account already. The service doesn't
    /// say which. From `POST /v1/link/apple` and `POST /v1/link/{provider}`, `details.handle` signs in to it until
    /// `details.expiresAt`.
    public static let credentialAlreadyInUse = Self(.credentialAlreadyInUse)
}

// MARK: Several ways in

extension ErrorCode {
    /// 404. The caller's account has no identity with this id, or it was removed before.
    public static let identityUnknown = Self(.identityUnknown)
    /// 409. Without this identity nobody could sign in to the account. Link another one first, or delete the account.
    public static let lastWayIn = Self(.lastWayIn)
    /// 409. The account has an email address to sign in with already. Remove it first to use another one.
    public static let alreadyLinked = Self(.alreadyLinked)
    /// 410. The session's account was merged into another one, whose id is `details.into`. The sessions of the account
    /// get this answer for 30 days, a browser once. Sign in again.
    public static let accountMerged = Self(.accountMerged)
    /// 409. The accounts are not as the person saw them in the preview of a merge. Show them another preview.
    public static let mergeChanged = Self(.mergeChanged)
}

// MARK: Other providers than Apple

extension ErrorCode {
    /// 404. This server offers no sign-in with the provider, or none in a browser.
    public static let unknownProvider = Self(.unknownProvider)
    /// 401. The provider's identity token, or what a browser brought back, doesn't prove who the person is. The message
    /// says why.
    public static let invalidProviderToken = Self(.invalidProviderToken)
    /// 400. The provider ended the sign-in, or its code can't be redeemed. Begin the sign-in again.
    public static let signInAgain = Self(.signInAgain)
    /// 503. The provider doesn't answer, or not as it should. Try again.
    public static let providerUnavailable = Self(.providerUnavailable)
    /// 502. The provider doesn't accept this server's client or requests. The operator of this server must act.
    public static let providerRefusedClient = Self(.providerRefusedClient)
}

// MARK: The profile and consent

extension ErrorCode {
    /// 409. The request would bring an address that is hidden at Apple together with data that tell who the person is.
    /// Show the text of `details.textVersion`, and repeat the request with `consent`. `details.purposes` says what the
    /// consent allows.
    public static let consentRequired = Self(.consentRequired)
    /// 404. The caller's account has no consent with this id, or it was withdrawn before.
    public static let consentUnknown = Self(.consentUnknown)
    /// 404. This server has no consent text of this version.
    public static let consentTextUnknown = Self(.consentTextUnknown)
    /// 501. This server sends no mail, so it can't verify a contact address.
    public static let mailNotConfigured = Self(.mailNotConfigured)
    /// 404. The link from a mail isn't complete, was used before, or is too old.
    public static let linkUnknown = Self(.linkUnknown)
    /// 403. The link from a mail belongs to another account than the browser's session. Pages alone have it.
    public static let linkOfAnotherAccount = Self(.linkOfAnotherAccount)
}

// MARK: The end of an account

extension ErrorCode {
    /// 404. No deletion has this handle, or it was done more than 30 days ago.
    public static let deletionUnknown = Self(.deletionUnknown)
}

// MARK: The web flow, on pages only

extension ErrorCode {
    /// 400. The form at the callback isn't a response from Apple.
    public static let malformedCallback = Self(.malformedCallback)
    /// 400. No sign-in with this `state` was begun, or it has ended.
    public static let attemptUnknown = Self(.attemptUnknown)
    /// 400. The sign-in was begun more than ten minutes ago.
    public static let attemptExpired = Self(.attemptExpired)
    /// 403. The sign-in was begun in another browser. The service keeps the name that came along if the person has
    /// none.
    public static let browserMismatch = Self(.browserMismatch)
    /// 400. The browser came back without the cookie that it was given, so it blocks cookies. The service keeps the
    /// name that came along, as with `browser_mismatch`.
    public static let browserCookieMissing = Self(.browserCookieMissing)
    /// 400. The person pressed Cancel at Apple. The callback shows a page with status 200 instead, or returns to the
    /// app with this code.
    public static let cancelled = Self(.cancelled)
    /// 400. Apple's response has no identity token.
    public static let identityTokenMissing = Self(.identityTokenMissing)
    /// 400. Apple's page returned an error other than a cancellation.
    public static let refusedByApple = Self(.refusedByApple)
}

// MARK: The authorization that an app without Apple's framework begins

extension ErrorCode {
    /// 400. No app with this id is configured, or the app has no Services ID and asks for Apple.
    public static let appUnknown = Self(.appUnknown)
    /// 400. The `redirectURI` isn't one of the app's return targets.
    public static let redirectURIMismatch = Self(.redirectURIMismatch)
    /// 400. No authorization with this id or device code was begun, or it was over long ago.
    public static let authorizationUnknown = Self(.authorizationUnknown)
    /// 400. The person hasn't decided yet. Ask again after the interval.
    public static let authorizationPending = Self(.authorizationPending)
    /// 400. The device asks too often. Its interval is five seconds longer from now on.
    public static let slowDown = Self(.slowDown)
    /// 400. The authorization was begun too long ago. Begin another one.
    public static let expired = Self(.expired)
    /// 403. The person refused, on the service's page or at Apple. For a device code, the sign-in may have failed
    /// otherwise.
    public static let denied = Self(.denied)
    /// 401. The handle is unknown, used or expired, or the verifier belongs to another one, or another session tried the
    /// link. A used device code gets this code too.
    public static let handleInvalid = Self(.handleInvalid)
    /// 429. Too many requests, wrong or refused codes, or open authorizations came from this address, an account's
    /// events are followed five times already, or too many mails went to an address or for an account today.
    /// `details.retryAfter` and the `Retry-After` header say how many seconds to wait.
    public static let rateLimited = Self(.rateLimited)
}

// MARK: This server and Apple

extension ErrorCode {
    /// 500. This server has a fault. Its log has more under the request id.
    public static let `internal` = Self(.internal)
    /// 503. A setting of this server is missing or wrong. Its operator must act.
    public static let configuration = Self(.configuration)
    /// 503. This server or its database can't answer now. Try again.
    public static let unavailable = Self(.unavailable)
    /// 503. Apple's public keys can't be fetched now, so the token can't be checked. Try again.
    public static let keysUnavailable = Self(.keysUnavailable)
    /// 503. Apple doesn't answer now. Try again, and if the code was lost meanwhile, with a new sign-in.
    public static let appleUnavailable = Self(.appleUnavailable)
    /// 502. Apple's response is malformed.
    public static let appleMalformedAnswer = Self(.appleMalformedAnswer)
    /// 502. Apple doesn't accept this server's client or key. Its operator must act.
    public static let appleConfiguration = Self(.appleConfiguration)
}
