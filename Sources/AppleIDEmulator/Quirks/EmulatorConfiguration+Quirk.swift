extension EmulatorConfiguration {
    /// A behaviour of Apple's that is reported but not documented, or documented but not met, and so is off by default.
    ///
    /// Each has a name, by which the control call `POST /emulator/quirks` switches it. The list may grow.
    public struct Quirk: Hashable, Sendable, CustomStringConvertible {
        private enum Word: String, CaseIterable {
            case refreshOnceADay = "refresh-once-a-day"
            case refreshWithoutIdentityToken = "refresh-without-id-token"
            case deadRefreshIsInvalidRequest = "dead-refresh-is-invalid-request"
            case redirectMismatchIsInvalidClient = "redirect-mismatch-is-invalid-client"
            case clientBeforeGrant = "client-before-grant"
            case capabilityOff = "capability-off"
            case plusLosesScopes = "plus-loses-scopes"
            case revokeEndsSessionOnly = "revoke-ends-session-only"
            case revokeRefusesUnknownTokens = "revoke-refuses-unknown-tokens"
            case eventsAsObject = "events-as-object"
            case accountDeleted = "account-deleted"
            case emptyAnswerHasContentType = "empty-answer-has-content-type"
            case ownTeamTargetIsInvalidRequest = "own-team-target-is-invalid-request"
            case eventTimeInSeconds = "event-time-in-seconds"
            case notificationWithoutExpiry = "notification-without-exp"
            case notificationOnce = "notification-once"
            case revokeIsSilent = "revoke-without-notification"
            case appIDsOnTheWeb = "app-ids-on-the-web"
            case unregisteredRedirectIsUnauthorizedClient = "unregistered-redirect-is-unauthorized-client"
            case refusedAuthorizeIsNotFound = "refused-authorize-is-404"
            case asksForNewScopes = "asks-for-new-scopes"
            case refusesChildren = "refuses-children"
            case noAccountIsCanceled = "no-account-is-canceled"
            case scopesUntold = "authorized-scopes-empty"
            case popupAnswersAnyReturnURL = "popup-answers-any-return-url"
            case eventDetailInData = "event-detail-in-data"
            case buttonRefusesForeignParameters = "button-refuses-foreign-parameters"
            case revokeAlwaysSucceeds = "revoke-always-200"
            case revokeKeepsName = "revoke-keeps-name"
            case claimsAsText = "claims-as-text"
            case privateEmailFalse = "private-email-false"
            case tenMinuteIdentityToken = "id-token-ten-minutes"
            case tokenIssuerAccount = "token-issuer-account"
            case discoveryIssuerAccount = "discovery-issuer-account"
            case discoveryRedirect = "discovery-redirect"
            case oneKey = "one-key"
            case relayAtICloud = "relay-at-icloud"
            case relayAtPrivateICloud = "relay-at-private-icloud"
            case bareErrors = "errors-without-description"
            case junkInErrors = "junk-in-errors"
            case tenMinuteCode = "code-ten-minutes"
            case codeReuseRevokes = "code-reuse-revokes"
            case verifierMismatchIsInvalidRequest = "pkce-failure-is-invalid-request"
            case lowercaseTokenType = "lowercase-token-type"
            case relayTransformationError = "relay-transformation-error"
            case formPostByDefault = "form-post-by-default"
            case plainVerifiers = "pkce-takes-plain"
            case userHasAllParts = "user-has-all-parts"
            case emailFirstTimeOnly = "email-first-time-only"
            case stopUsingChangesRelay = "stop-using-changes-relay"
            case realUserStatusOnce = "real-user-status-once"
            case siblingsGetName = "siblings-get-name"
            case passwordChangeNotifies = "password-change-notifies"
            case forwardingOffIsMailboxDisabled = "forwarding-off-is-mailbox-disabled"
            case dailyLimitIsFinal = "daily-limit-is-final"
            case popupByDefault = "popup-by-default"
            case stopUsingKeepsEmailChoice = "stop-using-keeps-email-choice"
            case webDomainsNeedVerification = "web-domains-need-verification"
            case scriptHonoursDevTags = "script-honours-dev-tags"
        }

        private let word: Word

        private init(word: Word) {
            self.word = word
        }

        /// Nil for a name that no quirk has.
        public init?(_ name: String) {
            guard let word = Word(rawValue: name) else { return nil }
            self.word = word
        }

        public var description: String { word.rawValue }

        /// Names of earlier quirks whose behavior is the default now. They are accepted and change nothing.
        public static let formerNames: Set<String> = ["account-delete", "redirect-mismatch-is-invalid-grant"]

        /// Every quirk there is, in no particular order.
        public static let all = Word.allCases.map { Self(word: $0) }

        /// A refresh token is good for one refresh in 24 hours; more get status 429 and `temporarily_unavailable`.
        /// Apple says that it may throttle, and not how.
        public static let refreshOnceADay = Self(word: .refreshOnceADay)
        /// The answer to a refresh is an access token alone, as many report.
        public static let refreshWithoutIdentityToken = Self(word: .refreshWithoutIdentityToken)
        /// A refresh token that is revoked or unknown is `invalid_request`, not `invalid_grant`: Apple documents both.
        public static let deadRefreshIsInvalidRequest = Self(word: .deadRefreshIsInvalidRequest)
        /// A wrong `redirect_uri` beside a code is `invalid_client`, as Apple's list of errors says, not
        /// `invalid_grant`, as people receive it.
        public static let redirectMismatchIsInvalidClient = Self(word: .redirectMismatchIsInvalidClient)
        /// `/auth/token` and `/auth/revoke` check the client before they look up the code or token, as they did until
        /// December 2022. Today a dead code or token is refused whoever sends it.
        public static let clientBeforeGrant = Self(word: .clientBeforeGrant)
        /// Clients are treated like one whose App ID has lost the capability: the token endpoint answers
        /// `unauthorized_client` to every grant.
        public static let capabilityOff = Self(word: .capabilityOff)
        /// Scopes with a `+` between them are as good as none, as for Apple's devices, which can take an authorization
        /// request over from the browser. Apple's page reads the plus as a space.
        public static let plusLosesScopes = Self(word: .plusLosesScopes)
        /// Revoking a token ends that session and leaves the person's consent: other sessions go on, and the name does
        /// not come again.
        public static let revokeEndsSessionOnly = Self(word: .revokeEndsSessionOnly)
        /// Revoking a token that nobody was issued is `invalid_grant`, as documented, not the usual 200.
        public static let revokeRefusesUnknownTokens = Self(word: .revokeRefusesUnknownTokens)
        /// A notification's claim `events` is an object, as Apple's page prints it, not a text that holds one, as
        /// people receive it.
        public static let eventsAsObject = Self(word: .eventsAsObject)
        /// A deleted account is `account-deleted`, as documented, not `account-delete`, the only word that libraries
        /// know.
        public static let accountDeleted = Self(word: .accountDeleted)
        /// The empty 200 of `/auth/revoke` has the `Content-Type` of the other endpoints, as a technical note implies.
        /// PHP's `league/oauth2-client` would fail on such a response, and nobody has reported that.
        public static let emptyAnswerHasContentType = Self(word: .emptyAnswerHasContentType)
        /// A migration request that names the sender's own team as the target is `invalid_request`. Apple gave somebody
        /// 700,000 transfer subjects for such requests, none of which the recipient could use.
        public static let ownTeamTargetIsInvalidRequest = Self(word: .ownTeamTargetIsInvalidRequest)
        /// `event_time` is in seconds, as in Apple's example, not in milliseconds, as received.
        public static let eventTimeInSeconds = Self(word: .eventTimeInSeconds)
        /// A notification has no `exp`, as in Apple's example. Those received live for a day.
        public static let notificationWithoutExpiry = Self(word: .notificationWithoutExpiry)
        /// A notification is tried once, as one answer of Apple's has it. Another says that what is not answered with
        /// 200 is tried again.
        public static let notificationOnce = Self(word: .notificationOnce)
        /// A consent that ends by `/auth/revoke` is not told of as `consent-revoked`; Apple does not say whether it is.
        public static let revokeIsSilent = Self(word: .revokeIsSilent)
        /// `/auth/authorize` takes an App ID as `client_id`, as Apple's page says, with the return URLs of its group.
        /// People report that only a Services ID gets through.
        public static let appIDsOnTheWeb = Self(word: .appIDsOnTheWeb)
        /// A redirect URI that is not registered is `unauthorized_client`, as a technical note has it, not
        /// `invalid_request`, as people see it.
        public static let unregisteredRedirectIsUnauthorizedClient = Self(
            word: .unregisteredRedirectIsUnauthorizedClient)
        /// What `/auth/authorize` refuses has status 404, the only one beside 200 on its page, not 400, as a technical
        /// note shows it.
        public static let refusedAuthorizeIsNotFound = Self(word: .refusedAuthorizeIsNotFound)
        /// An app that later asks for a scope that it never asked for before gets it, if the person agrees. Apple
        /// promises nothing about it.
        public static let asksForNewScopes = Self(word: .asksForNewScopes)
        /// An account of a child may not sign in; by default it may. The rules differ from country to country.
        public static let refusesChildren = Self(word: .refusesChildren)
        /// An authorization on a device without an Apple Account ends with `canceled` (1001), not `unknown` (1000);
        /// both are reported.
        public static let noAccountIsCanceled = Self(word: .noAccountIsCanceled)
        /// A device's credential names no authorized scopes, as often seen, though it brings what was asked for.
        public static let scopesUntold = Self(word: .scopesUntold)
        /// A popup's message reaches pages at the origins of all return URLs of the Services ID, not at that of the
        /// request's `redirect_uri` alone. Which rule Apple has is inferred from reports of popups that never close.
        public static let popupAnswersAnyReturnURL = Self(word: .popupAnswersAnyReturnURL)
        /// The script's success event has its result in `event.detail.data`, as in Apple's sample, not in
        /// `event.detail` itself, as working pages read it.
        public static let eventDetailInData = Self(word: .eventDetailInData)
        /// A button image is 404 for a parameter that its own page of documentation does not list, such as
        /// `label-position` for the logo alone, which another page of Apple's shows.
        public static let buttonRefusesForeignParameters = Self(word: .buttonRefusesForeignParameters)
        /// Revoking is answered with 200 also for another client's token and with a wrong hint; then it revokes
        /// nothing.
        public static let revokeAlwaysSucceeds = Self(word: .revokeAlwaysSucceeds)
        /// After a consent ended by `/auth/revoke`, the next sign-in has no `user` field, as some report.
        public static let revokeKeepsName = Self(word: .revokeKeepsName)
        /// `email_verified` and `is_private_email` are texts, as they were until early 2024.
        public static let claimsAsText = Self(word: .claimsAsText)
        /// `is_private_email` is there when it is false, too.
        public static let privateEmailFalse = Self(word: .privateEmailFalse)
        /// Identity tokens live for ten minutes, as they did in the first years, not for a day.
        public static let tenMinuteIdentityToken = Self(word: .tenMinuteIdentityToken)
        /// Tokens and notifications come from `https://account.apple.com`. Nobody has seen that of Apple yet.
        public static let tokenIssuerAccount = Self(word: .tokenIssuerAccount)
        /// Discovery names `https://account.apple.com` as the issuer while tokens keep theirs, as in June 2025.
        public static let discoveryIssuerAccount = Self(word: .discoveryIssuerAccount)
        /// Discovery is a redirection to another address, as in June 2025.
        public static let discoveryRedirect = Self(word: .discoveryRedirect)
        /// `/auth/keys` shows the signing key alone, as in 2019.
        public static let oneKey = Self(word: .oneKey)
        /// Relay addresses end in `@icloud.com`, as those of iCloud+.
        public static let relayAtICloud = Self(word: .relayAtICloud)
        /// Relay addresses end in `@private.icloud.com`, as Apple announced for new ones in June 2026.
        public static let relayAtPrivateICloud = Self(word: .relayAtPrivateICloud)
        /// Errors of the client's endpoints never have an `error_description`: Apple documents none. `invalid_client`
        /// has none in any case.
        public static let bareErrors = Self(word: .bareErrors)
        /// Errors of the client's endpoints have an unrelated `"email_verified":false`, as one report shows.
        public static let junkInErrors = Self(word: .junkInErrors)
        /// A code lives for ten minutes, as somebody measured, not for the documented five.
        public static let tenMinuteCode = Self(word: .tenMinuteCode)
        /// Redeeming a code again ends the tokens that it was redeemed for, as OAuth advises. Apple documents nothing.
        public static let codeReuseRevokes = Self(word: .codeReuseRevokes)
        /// A code with a wrong, missing or needless `code_verifier` is `invalid_request`, not `invalid_grant`; Apple
        /// does not document PKCE.
        public static let verifierMismatchIsInvalidRequest = Self(word: .verifierMismatchIsInvalidRequest)
        /// `token_type` is `bearer`, as documented, not `Bearer`, as received.
        public static let lowercaseTokenType = Self(word: .lowercaseTokenType)
        /// The mail relay refuses every mail with `5.7.1 transformation error`, as people report of bad days.
        public static let relayTransformationError = Self(word: .relayTransformationError)
        /// Without `response_mode` the answer comes as `form_post`, as Apple's script has it, not by the defaults of
        /// OAuth and OpenID Connect. Apple does not say what holds.
        public static let formPostByDefault = Self(word: .formPostByDefault)
        /// `code_challenge_method` may be `plain` or absent, as RFC 7636 has it. Only S256 is seen in use with Apple.
        public static let plainVerifiers = Self(word: .plainVerifiers)
        /// The `user` field has name and email also where no scope asked for them, as empty texts. That they are left
        /// out is inferred.
        public static let userHasAllParts = Self(word: .userHasAllParts)
        /// Tokens of later sign-ins and of refreshes have no `email`, as one library's documentation has it. Others
        /// report that all tokens have it.
        public static let emailFirstTimeOnly = Self(word: .emailFirstTimeOnly)
        /// Who stops using a team's last app that has the relay address gets a new one the next time. Whether Apple
        /// uses the old one again is not known.
        public static let stopUsingChangesRelay = Self(word: .stopUsingChangesRelay)
        /// `real_user_status` does not come again after a consent has ended. Apple says that it comes the first time,
        /// and not whether this is one.
        public static let realUserStatusOnce = Self(word: .realUserStatusOnce)
        /// An App ID of a group gets the name, as the person gave it to another, when it first meets the person. Apple
        /// says that consent is shared, and not whether the name is.
        public static let siblingsGetName = Self(word: .siblingsGetName)
        /// A new password is told to the person's apps as `consent-revoked`, since their refresh tokens have died. No
        /// event is documented for it.
        public static let passwordChangeNotifies = Self(word: .passwordChangeNotifies)
        /// Mail is refused with `5.2.1 mailbox disabled` while forwarding is off, in the words of RFC 3463; Apple's are
        /// not known.
        public static let forwardingOffIsMailboxDisabled = Self(word: .forwardingOffIsMailboxDisabled)
        /// The 101st mail of a day is refused for good, with `552 5.2.2`, not for the time being. Apple says how many
        /// there may be, and no more.
        public static let dailyLimitIsFinal = Self(word: .dailyLimitIsFinal)
        /// The script takes a popup for granted where a page does not say. That the whole page leaves is inferred.
        public static let popupByDefault = Self(word: .popupByDefault)
        /// Who comes back after Stop Using is not asked again which address the app gets. Apple says that it is asked
        /// for again, and not whether there is a choice.
        public static let stopUsingKeepsEmailChoice = Self(word: .stopUsingKeepsEmailChoice)
        /// A redirect URI is refused until the association file was found at its domain, as one guide demands; the
        /// guides of libraries know no such step.
        public static let webDomainsNeedVerification = Self(word: .webDomainsNeedVerification)
        /// The script goes where `appleid-signin-dev-uri` and `appleid-signin-dev-path` send it, as that of 2019 does.
        /// Whether today's does is not known.
        public static let scriptHonoursDevTags = Self(word: .scriptHonoursDevTags)
    }
}
