import AccountAPI
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import StrictJSON
import Testing

@testable import AccountHTTP
@testable import AppleID

@Suite("Errors become codes")
struct HTTPFailureTests {
    @Test(
        "A wait is told in whole seconds, rounded up, and never as zero",
        arguments: [(1_900, 2), (2_000, 2), (2_001, 3), (0, 1), (100, 1)])
    func waits(milliseconds: Int, seconds: Int) {
        for code in [AccountError.Code.rateLimited, .tooBusy] {
            let failure = HTTPFailure(of: AccountError(code, "wait", retryAfter: .milliseconds(milliseconds)))
            #expect(failure.headers[.retryAfter] == "\(seconds)")
            #expect(failure.details == .rateLimited(RetryDelay(retryAfter: seconds)))
        }
        #expect(HTTPFailure.tooManyRequests(.milliseconds(milliseconds)).headers[.retryAfter] == "\(seconds)")
    }

    /// Each of the domain's errors, with its code and status on the wire.
    private static let domainErrors: [(AccountError.Code, String, Int)] = [
        (.appUnknown, "app_unknown", 400),
        (.attemptUnknown, "attempt_unknown", 400),
        (.attemptExpired, "attempt_expired", 400),
        (.authorizationDenied, "denied", 403),
        (.authorizationExpired, "expired", 400),
        (.authorizationPending, "authorization_pending", 400),
        (.authorizationUnknown, "authorization_unknown", 400),
        (.browserMismatch, "browser_mismatch", 403),
        (.cancelled, "cancelled", 400),
        (.challengeInvalid, "challenge_invalid", 401),
        (.codeMissing, "code_missing", 400),
        (.configuration, "configuration", 503),
        (.consentRequired, "consent_required", 409),
        (.consentTextUnknown, "consent_text_unknown", 404),
        (.consentUnknown, "consent_unknown", 404),
        (.credentialMismatch, "credential_mismatch", 403),
        (.deletionUnknown, "deletion_unknown", 404),
        (.handleInvalid, "handle_invalid", 401),
        (.identityMismatch, "identity_mismatch", 401),
        (.identityTokenMissing, "identity_token_missing", 400),
        (.linkOfAnotherAccount, "link_of_another_account", 403),
        (.linkUnknown, "link_unknown", 404),
        (.wrongCredentials, "wrong_credentials", 401),
        (.passwordRefused, "password_refused", 400),
        (.passwordsOff, "passwords_off", 404),
        (.tooBusy, "too_busy", 503),
        (.emailNeeded, "email_needed", 409),
        (.notByPassword, "not_by_password", 409),
        (.credentialAlreadyInUse, "credential_already_in_use", 409),
        (.identityUnknown, "identity_unknown", 404),
        (.lastWayIn, "last_way_in", 409),
        (.alreadyLinked, "already_linked", 409),
        (.providerUnknown, "unknown_provider", 404),
        (.accountMerged, "account_merged", 410),
        (.mergeChanged, "merge_changed", 409),
        (.mailNotConfigured, "mail_not_configured", 501),
        (.nonceInvalid, "nonce_invalid", 400),
        (.rateLimited, "rate_limited", 429),
        (.refusedByApple, "refused_by_apple", 400),
        (.refreshTokenInvalid, "refresh_token_invalid", 401),
        (.refreshTokenReused, "refresh_token_reused", 401),
        (.requestInvalid, "invalid_request", 400),
        (.requiresRecentLogin, "requires_recent_login", 403),
        (.returnTargetMismatch, "redirect_uri_mismatch", 400),
        (.sessionEnded, "session_ended", 401),
        (.slowDown, "slow_down", 400),
        (.accessTokenExpired, "access_token_expired", 401),
        (.tokenInvalid, "access_token_invalid", 401),
        (.tokenTooOld, "token_too_old", 401),
        (.transferNotCompleted, "transfer_not_completed", 403),
        (.unavailable, "unavailable", 503),
        (.issuerMismatch, "internal", 500),
        (.databaseTooNew, "internal", 500),
        (.accountDisabled, "account_disabled", 403),
        (.alreadyUsed, "token_already_used", 401),
        (.invalidText, "invalid_request", 400),
        (.sessionUnknown, "session_unknown", 404),
        // For operators alone: no request meets it.
        (.keyTooYoung, "internal", 500),
    ]

    @Test("Each domain error has a code and a status", arguments: domainErrors)
    func accountError(code: AccountError.Code, word: String, status: Int) {
        let failure = HTTPFailure(of: AccountError(code, "a reason"))
        #expect(failure.code.rawValue == word)
        #expect(failure.code.status.code == status)
    }

    @Test("No error of the domain is forgotten")
    func allDomainErrors() {
        #expect(Set(Self.domainErrors.map(\.0)) == Set(AccountError.Code.all))
    }

    @Test("The details of a code are kept")
    func details() {
        let invalid = HTTPFailure(of: AccountError(.requestInvalid, "no", field: "scope"))
        #expect(invalid.details == .invalidRequest(InvalidField(field: "scope")))
        let limited = HTTPFailure(of: AccountError(.rateLimited, "no", retryAfter: .seconds(90)))
        #expect(limited.details == .rateLimited(RetryDelay(retryAfter: 90)))
        #expect(limited.headers[.retryAfter] == "90")
        let required = Consent.Requirement(purposes: [.phone], textVersion: "2")
        let unasked = HTTPFailure(of: AccountError(lacking: required))
        #expect(unasked.details == .consentRequired(RequiredConsent(purposes: [.phone], textVersion: "2")))
        let refusal = PasswordRules.Refusal(.common, minimumLength: 12)
        let refused = HTTPFailure(of: AccountError(refusing: refusal))
        #expect(refused.details == .passwordRefused(PasswordRefusal(reason: .common, minimumLength: 12)))
        #expect(refused.message == "This password is on the list of common ones.")
        let busy = HTTPFailure(of: AccountError(.tooBusy, "no", retryAfter: .seconds(3)))
        #expect(busy.details == .rateLimited(RetryDelay(retryAfter: 3)))
        #expect(busy.headers[.retryAfter] == "3")
        let account = AccountID(rawValue: "acc_2")
        let merged = HTTPFailure(of: AccountError(mergedInto: account))
        #expect(merged.details == .accountMerged(MergedAccountBody(into: account.rawValue)))
        // Never an invitation to ask again at once.
        for delay in [Duration.zero, .milliseconds(10), .seconds(-5)] {
            for code in [AccountError.Code.rateLimited, .tooBusy] {
                let failure = HTTPFailure(of: AccountError(code, "no", retryAfter: delay))
                #expect(failure.headers[.retryAfter] == "1")
            }
        }
    }

    @Test(
        "Details about passwords come to the client as they were sent",
        arguments: [
            (
                .passwordRefused, .passwordRefused(PasswordRefusal(reason: .tooShort, minimumLength: 15)),
                #"{"minimumLength":15,"reason":"too_short"}"#
            ),
            (.tooBusy, .rateLimited(RetryDelay(retryAfter: 6)), #"{"retryAfter":6}"#),
        ] as [(ErrorCode, ErrorDetails, String)])
    func detailsOnTheWire(code: ErrorCode, details: ErrorDetails, text: String) throws {
        let sent = ErrorEnvelope(ErrorEnvelope.Body(code: code, message: "M.", requestID: "r", details: details))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(sent)
        let expected = #"{"error":{"code":"\#(code)","details":\#(text),"message":"M.","requestID":"r"}}"#
        #expect(String(decoding: data, as: UTF8.self) == expected)
        #expect(try JSONDecoder().decode(ErrorEnvelope.self, from: data) == sent)
    }

    @Test(
        "An error about a used credential names its kind",
        arguments: [
            (.challenge, .challengeAlreadyUsed), (.nonce, .nonceAlreadyUsed), (.identityToken, .tokenAlreadyUsed),
            (.code, .codeAlreadyUsed), (nil, .tokenAlreadyUsed),
        ] as [(UsedCredential.Kind?, ErrorCode.Known)]
    )
    func alreadyUsed(kind: UsedCredential.Kind?, code: ErrorCode.Known) {
        let failure = HTTPFailure(of: AccountError(.alreadyUsed, "again", used: kind))
        #expect(failure.code == code)
        #expect(code.status == .unauthorized)
    }

    @Test(
        "Apple's errors keep their words where they are about the credential",
        arguments: [
            (.malformedToken, "malformed_token", 400),
            (.tokenTooLarge, "token_too_large", 400),
            (.malformedClaim, "malformed_claim", 400),
            (.malformedCallback, "malformed_callback", 400),
            (.unsupportedAlgorithm, "unsupported_algorithm", 401),
            (.unknownKey, "unknown_key", 401),
            (.signatureInvalid, "signature_invalid", 401),
            (.issuerMismatch, "issuer_mismatch", 401),
            (.audienceMismatch, "audience_mismatch", 401),
            (.tokenExpired, "token_expired", 401),
            (.issuedInFuture, "issued_in_future", 401),
            (.subjectMissing, "subject_missing", 401),
            (.notAnIdentityToken, "not_an_identity_token", 401),
            (.nonceMissing, "nonce_missing", 401),
            (.nonceMismatch, "nonce_mismatch", 401),
            (.codeHashMissing, "code_hash_missing", 401),
            (.codeHashMismatch, "code_hash_mismatch", 401),
            (.accessTokenHashMissing, "access_token_hash_missing", 401),
            (.accessTokenHashMismatch, "access_token_hash_mismatch", 401),
            (.grantRejected, "grant_rejected", 401),
            (.keysUnavailable, "keys_unavailable", 503),
            (.appleUnavailable, "apple_unavailable", 503),
            (.malformedAnswer, "apple_malformed_answer", 502),
            (.clientRejected, "apple_configuration", 502),
            (.unknownClient, "apple_configuration", 502),
            (.invalidPrivateKey, "apple_configuration", 502),
            (.invalidServerURL, "apple_configuration", 502),
            (.invalidAuthorizationRequest, "apple_configuration", 502),
            (.notANotification, "not_a_notification", 401),
            (.notificationTooOld, "token_too_old", 401),
            (.subjectMismatch, "identity_mismatch", 401),
            (.tokenReplayed, "token_already_used", 401),
            (.replayUnknown, "apple_unavailable", 503),
            (.exchangeOutcomeUnknown, "apple_unavailable", 503),
            (.transferRejected, "apple_configuration", 502),
            (.migrationTokenExpired, "apple_configuration", 502),
            (.tokenMissing, "apple_configuration", 502),
        ] as [(AppleIDError.Code, String, Int)]
    )
    func appleError(code: AppleIDError.Code, word: String, status: Int) {
        let failure = HTTPFailure(of: AppleIDError(code, "a reason"))
        #expect(failure.code.rawValue == word)
        #expect(failure.code.status.code == status)
    }

    @Test(
        "A malformed answer of Apple's has its own code, with or without tokens in it", arguments: [true, false])
    func malformedAnswer(hasTokens: Bool) {
        let malformed = AppleIDError(.malformedAnswer, "a reason")
        let grant = UnverifiedGrant(
            client: "com.example.juice", identityToken: nil, accessToken: AccessToken("a"), refreshToken: nil,
            cause: malformed)
        let error = AppleIDError(.exchangeOutcomeUnknown, "a reason", cause: hasTokens ? grant : malformed)
        #expect(HTTPFailure(of: error).code == .appleMalformedAnswer)
    }

    @Test("A failure of ours or of Apple's tells nothing internal")
    func blandMessages() {
        let errors: [any Error] = [
            AccountError(.configuration, "SECRET"), AccountError(.unavailable, "SECRET"),
            AccountError(.issuerMismatch, "SECRET"), AppleIDError(.clientRejected, "SECRET"),
            AppleIDError(.appleUnavailable, "SECRET"), AppleIDError(.malformedAnswer, "SECRET"), URLError(.badURL),
        ]
        for error in errors {
            #expect(!HTTPFailure(of: error).message.contains("SECRET"))
        }
    }

    @Test("An unknown error is internal")
    func unknownError() {
        struct Surprise: Error {}
        #expect(HTTPFailure(of: Surprise()).code == .internal)
        #expect(HTTPFailure(of: CancellationError()).code == .unavailable)
    }

    @Test("A reason becomes a sentence")
    func sentences() {
        #expect(HTTPFailure(of: AccountError(.tokenTooOld, "too old")).message == "Too old.")
        #expect(HTTPFailure(of: AppleIDError(.nonceMismatch, "No.")).message == "No.")
    }
}
