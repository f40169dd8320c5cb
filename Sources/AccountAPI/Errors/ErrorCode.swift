/// What is wrong with a request, in one word that programs may rely on; the complete list.
///
/// A struct rather than an enumeration, so that a word of a newer server decodes and compares unchanged. The HTTP
/// status that goes with a word is fixed and written at each.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}

// The request itself

extension ErrorCode {
    /// 400. A member, field or parameter is missing or has the wrong type or value. `details.field` says which.
    public static let invalidRequest = Self("invalid_request")
    /// 400. The body is not JSON as RFC 8259 has it, names a member twice, is nested too deeply, is not UTF-8, or
    /// holds U+0000.
    public static let malformedJSON = Self("malformed_json")
    /// 400. The body is no form: bad percent-encoding, not UTF-8, U+0000, or a field that comes twice.
    public static let malformedForm = Self("malformed_form")
    /// 400. The request is not HTTP that this server reads.
    public static let badRequest = Self("bad_request")
    /// 403. A page's form was sent from another site, or by a browser that does not say from where.
    public static let crossSiteRequest = Self("cross_site_request")
    /// 404. Nothing is at this path.
    public static let notFound = Self("not_found")
    /// 405. The path knows other methods; the `Allow` header lists them.
    public static let methodNotAllowed = Self("method_not_allowed")
    /// 408. The body did not arrive in time.
    public static let requestTimeout = Self("request_timeout")
    /// 413. The body is larger than 64 KB.
    public static let bodyTooLarge = Self("body_too_large")
    /// 414. Path and query are too long.
    public static let uriTooLong = Self("uri_too_long")
    /// 415. The body has another `Content-Type` than this call takes, or none.
    public static let unsupportedMediaType = Self("unsupported_media_type")
}

// The session

extension ErrorCode {
    /// 401. The call needs `Authorization: Bearer` with an access token.
    public static let accessTokenMissing = Self("access_token_missing")
    /// 401. Not an access token of this server, or not a token for this server.
    public static let accessTokenInvalid = Self("access_token_invalid")
    /// 401. The access token has outlived its ten minutes: refresh the session and repeat.
    public static let accessTokenExpired = Self("access_token_expired")
    /// 401. The session was signed out, replaced or has expired, or Apple's word ended it: sign in again.
    public static let sessionEnded = Self("session_ended")
    /// 401. Not a refresh token of a live session: sign in again.
    public static let refreshTokenInvalid = Self("refresh_token_invalid")
    /// 403. The operator of this server has disabled the account.
    public static let accountDisabled = Self("account_disabled")
    /// 404. No live session of the caller's account has this id.
    public static let sessionUnknown = Self("session_unknown")
    /// 401. The refresh token was exchanged before, and this was no repeat of a lost answer, so its session has been
    /// ended: sign in again.
    public static let refreshTokenReused = Self("refresh_token_reused")
}

// The credential of a sign-in

extension ErrorCode {
    /// 400. The identity token is not a signed token in three parts.
    public static let malformedToken = Self("malformed_token")
    /// 400. The identity token is larger than any of Apple's.
    public static let tokenTooLarge = Self("token_too_large")
    /// 400. A claim of the identity token has another type than Apple gives it.
    public static let malformedClaim = Self("malformed_claim")
    /// 401. The identity token is not signed with RS256.
    public static let unsupportedAlgorithm = Self("unsupported_algorithm")
    /// 401. Apple has no key with the token's `kid`.
    public static let unknownKey = Self("unknown_key")
    /// 401. The signature is not Apple's.
    public static let signatureInvalid = Self("signature_invalid")
    /// 401. The token's `iss` is not Apple.
    public static let issuerMismatch = Self("issuer_mismatch")
    /// 401. The token was made for an app or website that this server does not know, or for a Services ID that is not
    /// listed for apps.
    public static let audienceMismatch = Self("audience_mismatch")
    /// 401. The token's `exp` is past.
    public static let tokenExpired = Self("token_expired")
    /// 401. The token's `iat` is more than ten minutes ago, or before the person stopped using the app: sign in again.
    public static let tokenTooOld = Self("token_too_old")
    /// 401. The token's `iat` or `nbf` lies ahead of this server's clock.
    public static let issuedInFuture = Self("issued_in_future")
    /// 401. The token names nobody.
    public static let subjectMissing = Self("subject_missing")
    /// 401. The token is one of Apple's notifications.
    public static let notAnIdentityToken = Self("not_an_identity_token")
    /// 401. What was sent as a notification of Apple's is an identity token.
    public static let notANotification = Self("not_a_notification")
    /// 401. The token carries no nonce, although Apple supports it there.
    public static let nonceMissing = Self("nonce_missing")
    /// 401. The token's nonce is neither the hash of the nonce sent nor a challenge of this server.
    public static let nonceMismatch = Self("nonce_mismatch")
    /// 400. A nonce has 20 to 128 printable ASCII characters.
    public static let nonceInvalid = Self("nonce_invalid")
    /// 401. The challenge is forged, expired, or was made for another purpose or session.
    public static let challengeInvalid = Self("challenge_invalid")
    /// 401. The token has no `c_hash` to tie it to the authorization code.
    public static let codeHashMissing = Self("code_hash_missing")
    /// 401. The authorization code is not the one that the token was issued with.
    public static let codeHashMismatch = Self("code_hash_mismatch")
    /// 401. The token has no `at_hash` to tie it to Apple's access token.
    public static let accessTokenHashMissing = Self("access_token_hash_missing")
    /// 401. The access token of Apple's is not the one that the identity token was issued with.
    public static let accessTokenHashMismatch = Self("access_token_hash_mismatch")
    /// 401. The identity token was used before.
    public static let tokenAlreadyUsed = Self("token_already_used")
    /// 401. The nonce was used before.
    public static let nonceAlreadyUsed = Self("nonce_already_used")
    /// 401. The challenge was used before.
    public static let challengeAlreadyUsed = Self("challenge_already_used")
    /// 401. The authorization code was used before.
    public static let codeAlreadyUsed = Self("code_already_used")
    /// 400. An authorization code is needed and missing.
    public static let codeMissing = Self("code_missing")
    /// 401. Apple does not redeem the authorization code: it is used, expired, or another client's.
    public static let grantRejected = Self("grant_rejected")
    /// 401. Apple's two tokens of one sign-in are about different people, clients or nonces.
    public static let identityMismatch = Self("identity_mismatch")
    /// 403. The app has moved to another team at Apple, and the person's account has not been moved to it; the operator
    /// of this server must act.
    public static let transferNotCompleted = Self("transfer_not_completed")
}

// Proving again who one is

extension ErrorCode {
    /// 403. The credential is another person's than the session.
    public static let credentialMismatch = Self("credential_mismatch")
    /// 403. The call needs a sign-in of the last five minutes, proven by a nonce: reauthenticate and repeat.
    public static let requiresRecentLogin = Self("requires_recent_login")
}

// The end of an account

extension ErrorCode {
    /// 404. No deletion has this handle, or it was done more than 30 days ago.
    public static let deletionUnknown = Self("deletion_unknown")
}

// The web flow, on pages only

extension ErrorCode {
    /// 400. What came to the callback is not an answer of Apple's.
    public static let malformedCallback = Self("malformed_callback")
    /// 400. No sign-in with this `state` was begun, or it has ended.
    public static let attemptUnknown = Self("attempt_unknown")
    /// 400. The sign-in was begun more than ten minutes ago.
    public static let attemptExpired = Self("attempt_expired")
    /// 403. The sign-in was begun in another browser. The name that came along is kept for the person if they have none.
    public static let browserMismatch = Self("browser_mismatch")
    /// 400. The browser came back without the cookie that it was given: cookies are blocked. The name that came along is
    /// kept, as with `browser_mismatch`.
    public static let browserCookieMissing = Self("browser_cookie_missing")
    /// 400. The person pressed Cancel at Apple. The callback shows a page of its own with status 200 instead, or
    /// returns to the app with this word.
    public static let cancelled = Self("cancelled")
    /// 400. Apple's answer carried no identity token.
    public static let identityTokenMissing = Self("identity_token_missing")
    /// 400. The browser brought an error of Apple's that is no cancellation.
    public static let refusedByApple = Self("refused_by_apple")
}

// The authorization that an app without Apple's framework begins

extension ErrorCode {
    /// 400. No app with this id is configured.
    public static let appUnknown = Self("app_unknown")
    /// 400. The `redirectURI` is not one of the app's return targets.
    public static let redirectURIMismatch = Self("redirect_uri_mismatch")
    /// 400. No authorization with this id or device code was begun, or it is long over.
    public static let authorizationUnknown = Self("authorization_unknown")
    /// 400. The person has not decided yet: ask again after the interval.
    public static let authorizationPending = Self("authorization_pending")
    /// 400. The device asks too often: its interval is five seconds longer from now on.
    public static let slowDown = Self("slow_down")
    /// 400. The authorization was begun too long ago: begin another one.
    public static let expired = Self("expired")
    /// 403. The person refused, on our page or at Apple; or, for a device code, the sign-in failed otherwise.
    public static let denied = Self("denied")
    /// 401. The handle is unknown, used or expired, or the verifier is not its own: not told apart. So is a device code
    /// that was used, as by a wrong verifier.
    public static let handleInvalid = Self("handle_invalid")
    /// 429. Too many requests, wrong or refused codes, or authorizations at once came from this address; or an
    /// account's events are followed five times already. `details.retryAfter` and the `Retry-After` header say how many
    /// seconds to wait.
    public static let rateLimited = Self("rate_limited")
}

// This server and Apple

extension ErrorCode {
    /// 500. A fault of this server. The log has more under the request id.
    public static let `internal` = Self("internal")
    /// 503. A setting of this server is missing or wrong; its operator must act.
    public static let configuration = Self("configuration")
    /// 503. This server or its store cannot answer now: try again.
    public static let unavailable = Self("unavailable")
    /// 503. Apple's public keys cannot be had now, so that nothing can be said about the token: try again.
    public static let keysUnavailable = Self("keys_unavailable")
    /// 503. Apple does not answer now: try again; if the code was lost meanwhile, with a new sign-in.
    public static let appleUnavailable = Self("apple_unavailable")
    /// 502. Apple gave an answer that makes no sense.
    public static let appleMalformedAnswer = Self("apple_malformed_answer")
    /// 502. Apple does not accept this server's client or key; its operator must act.
    public static let appleConfiguration = Self("apple_configuration")
}
