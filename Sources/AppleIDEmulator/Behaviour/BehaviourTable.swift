/// Every field of ``Behaviour``, once. Command line, control calls, documentation and snapshots are made from this
/// table.
///
/// It has the order in which quirks were added, because messages list them in this order.
package enum BehaviourTable {
    package static let fields = tokens + revocationAndNotifications + pagesAndDevices + claims + answers + later

    private static let tokens: [BehaviourField] = [
        .flag(
            "limitsRefreshToOnceADay", \.limitsRefreshToOnceADay, quirk: "refresh-once-a-day",
            "a second refresh within 24 hours gets 429 and `Retry-After`",
            evidence: "served: Apple says that it may throttle, not how"),
        .flag(
            "refreshOmitsIdentityToken", \.refreshOmitsIdentityToken, quirk: "refresh-without-id-token",
            "a refresh gives an access token alone", evidence: "with identity token, as documented; reports differ"),
        .choice(
            "deadRefreshToken", \.deadRefreshToken,
            (
                .invalidRequest, "dead-refresh-is-invalid-request",
                "a revoked or unknown refresh token is `invalid_request`"
            ), evidence: "`invalid_grant`; both are documented"),
        .choice(
            "redirectMismatch", \.redirectMismatch,
            (
                .invalidClient, "redirect-mismatch-is-invalid-client",
                "a wrong `redirect_uri` beside a code is `invalid_client`, as Apple's list of errors says"
            ), evidence: "`invalid_grant`, as people receive it"),
        .choice(
            "firstCheck", \.firstCheck,
            (
                .client, "client-before-grant",
                "`/auth/token` and `/auth/revoke` check the client before they look up the code or token"
            ),
            evidence:
                "the code or token comes first, as since December 2022: a dead one is refused whoever sends it"),
        .flag(
            "clientsLackCapability", \.clientsLackCapability, quirk: "capability-off",
            "every grant is `unauthorized_client`", evidence: "clients here have the capability"),
        .flag(
            "plusLosesScopes", \.plusLosesScopes, quirk: "plus-loses-scopes", "`scope=name+email` asks for nothing",
            evidence:
                "the plus is a space to Apple's page; its devices, when they take the request over from the browser, "
                + "don't read it so"),
    ]

    private static let revocationAndNotifications: [BehaviourField] = [
        .choice(
            "revocationEnds", \.revocationEnds,
            (.session, "revoke-ends-session-only", "revoking ends one session; the consent stays"),
            evidence: "the consent ends, as documented"),
        .choice(
            "unknownTokenRevocation", \.unknownTokenRevocation,
            (.invalidGrant, "revoke-refuses-unknown-tokens", "revoking garbage is `invalid_grant`, as documented"),
            evidence: "200, as people see"),
        .choice(
            "eventsClaim", \.eventsClaim, (.object, "events-as-object", "`events` is an object, as documented"),
            evidence: "a text that holds an object, as received"),
        .choice(
            "deletionEvent", \.deletionEvent,
            (.accountDeleted, "account-deleted", "a deleted account is `account-deleted`, as documented"),
            evidence: "`account-delete`, the only word that libraries know"),
        .flag(
            "revocationAnswerHasContentType", \.revocationAnswerHasContentType, quirk: "empty-answer-has-content-type",
            "the empty 200 of `/auth/revoke` has `Content-Type: application/json`",
            evidence: "it has none: a common PHP client would fail on it, and nobody has reported that"),
        .choice(
            "ownTeamTarget", \.ownTeamTarget,
            (
                .invalidRequest, "own-team-target-is-invalid-request",
                "a migration to the sender's own team is `invalid_request`"
            ), evidence: "it gets a `transfer_sub` that no recipient can use, as reported"),
        .choice(
            "eventTime", \.eventTime,
            (.seconds, "event-time-in-seconds", "`event_time` is in seconds, as in Apple's example"),
            evidence: "in milliseconds, as received"),
        .flag(
            "notificationsOmitExpiry", \.notificationsOmitExpiry, quirk: "notification-without-exp",
            "no `exp`, as in Apple's example", evidence: "a day after `iat`, as received"),
        .flag(
            "triesNotificationsOnce", \.triesNotificationsOnce, quirk: "notification-once", "one attempt",
            evidence: "tried again, as one answer of Apple's says"),
        .flag(
            "revocationIsSilent", \.revocationIsSilent, quirk: "revoke-without-notification",
            "apps aren't notified of a consent that ends by `/auth/revoke`",
            evidence: "`consent-revoked`, as Apple's notes imply"),
    ]

    private static let pagesAndDevices: [BehaviourField] = [
        .flag(
            "acceptsAppIDsOnTheWeb", \.acceptsAppIDsOnTheWeb, quirk: "app-ids-on-the-web",
            "`/auth/authorize` takes an App ID with the return URLs of its group, as Apple's page says",
            evidence: "only a Services ID gets through, as people report"),
        .choice(
            "unregisteredRedirect", \.unregisteredRedirect,
            (
                .unauthorizedClient, "unregistered-redirect-is-unauthorized-client",
                "a redirect URI that isn't registered is `unauthorized_client`, as a technical note has it"
            ), evidence: "`invalid_request`, as people see it"),
        .choice(
            "refusedAuthorization", \.refusedAuthorization,
            (
                .notFound, "refused-authorize-is-404",
                "a refused authorization request has status 404, the only one beside 200 on Apple's page"
            ), evidence: "400, as a technical note shows it"),
        .flag(
            "asksForNewScopes", \.asksForNewScopes, quirk: "asks-for-new-scopes",
            "an app that later asks for a new scope gets it, if the person agrees",
            evidence: "it gets nothing: nobody reports that it comes"),
        .flag(
            "refusesChildren", \.refusesChildren, quirk: "refuses-children", "an account of a child can't sign in",
            evidence: "it can; the rules differ from country to country"),
        .choice(
            "missingDeviceAccount", \.missingDeviceAccount,
            (.canceled, "no-account-is-canceled", "a device without an Apple Account answers `canceled` (1001)"),
            evidence: "`unknown` (1000); both are reported"),
        .flag(
            "credentialOmitsScopes", \.credentialOmitsScopes, quirk: "authorized-scopes-empty",
            "a device's credential names no authorized scopes", evidence: "it names them; often seen empty"),
        .choice(
            "popupRecipients", \.popupRecipients,
            (
                .anyReturnURL, "popup-answers-any-return-url",
                "a popup's message reaches pages at the origins of all return URLs of the Services ID"
            ), evidence: "people report popups that never close when the page isn't at the redirect URI's origin"),
        .choice(
            "eventDetail", \.eventDetail,
            (
                .data, "event-detail-in-data",
                "the script's success event has its result in `event.detail.data`, as in Apple's sample"
            ), evidence: "working pages read `event.detail`"),
        .flag(
            "buttonsRefuseForeignParameters", \.buttonsRefuseForeignParameters,
            quirk: "button-refuses-foreign-parameters",
            "a button image is 404 for a parameter that its own page doesn't list",
            evidence: "ignored: another page of Apple's shows such a parameter"),
        .choice(
            "foreignTokenRevocation", \.foreignTokenRevocation,
            (
                .success, "revoke-always-200",
                "200 also for another client's token and for a wrong hint; nothing is revoked then"
            ), evidence: "`invalid_grant` and `invalid_request`, as documented"),
        .flag(
            "revocationKeepsName", \.revocationKeepsName, quirk: "revoke-keeps-name",
            "after `/auth/revoke` the next sign-in has no `user`, and on a device no name or address",
            evidence: "it has; reports differ"),
    ]

    private static let claims: [BehaviourField] = [
        .choice(
            "booleanClaims", \.booleanClaims,
            (.texts, "claims-as-text", "`email_verified` and `is_private_email` are texts"),
            evidence: "booleans, as since early 2024; the flag `--claims-as-text` is the same"),
        .flag(
            "showsFalsePrivateEmail", \.showsFalsePrivateEmail, quirk: "private-email-false",
            "`is_private_email` is `false` instead of absent", evidence: "absent, as people receive it"),
        .choice(
            "identityTokenLifetime", \.identityTokenLifetime,
            (.tenMinutes, "id-token-ten-minutes", "identity tokens live for 600 seconds"),
            evidence: "a day, as today; ten minutes were the first years'"),
        .choice(
            "tokenIssuer", \.tokenIssuer,
            (
                .accountDomain, "token-issuer-account",
                "tokens and notifications come from `https://account.apple.com`"
            ), evidence: "`https://appleid.apple.com`: nobody has seen the other in a token"),
        .choice(
            "discoveryIssuer", \.discoveryIssuer,
            (
                .accountDomain, "discovery-issuer-account",
                "discovery names `https://account.apple.com` as the issuer, and tokens don't"
            ), evidence: "one issuer; Apple had two for a while in June 2025"),
        .flag(
            "redirectsDiscovery", \.redirectsDiscovery, quirk: "discovery-redirect",
            "discovery is a redirection (302)", evidence: "an answer; the redirection is from June 2025"),
        .choice(
            "publishedKeys", \.publishedKeys,
            (.signingKey, "one-key", "`/auth/keys` shows the signing key alone"),
            evidence: "three, as for years, once the emulator has made them"),
        .choice(
            "relayDomain", \.relayDomain,
            (.iCloud, "relay-at-icloud", "relay addresses end in `icloud.com`, but for people whose portal entry says"),
            (
                .privateICloud, "relay-at-private-icloud",
                "they end in `private.icloud.com`; this quirk wins over `relay-at-icloud`"
            ), evidence: "`privaterelay.appleid.com`, as most addresses that are in use"),
    ]

    private static let answers: [BehaviourField] = [
        .flag(
            "errorsOmitDescription", \.errorsOmitDescription, quirk: "errors-without-description",
            "errors have `error` alone, as documented",
            evidence: "all but `invalid_client` have `error_description`, as received"),
        .flag(
            "errorsHaveJunk", \.errorsHaveJunk, quirk: "junk-in-errors", "errors carry `\"email_verified\":false`",
            evidence: "without; one report shows it"),
        .choice(
            "codeLifetime", \.codeLifetime, (.tenMinutes, "code-ten-minutes", "a code lives for ten minutes"),
            evidence: "five, as documented; somebody measured ten"),
        .flag(
            "reusedCodeEndsTokens", \.reusedCodeEndsTokens, quirk: "code-reuse-revokes",
            "a code that comes twice ends the tokens that it was redeemed for",
            evidence: "they stay: OAuth advises to end them, Apple documents nothing"),
        .choice(
            "verifierMismatch", \.verifierMismatch,
            (
                .invalidRequest, "pkce-failure-is-invalid-request",
                "a wrong, missing or needless `code_verifier` is `invalid_request`"
            ), evidence: "`invalid_grant`, the error of RFC 7636; Apple has none"),
        .choice(
            "tokenType", \.tokenType,
            (.lowercase, "lowercase-token-type", "`token_type` is `bearer`, as documented"),
            evidence: "`Bearer`, as received"),
        .flag(
            "relayFailsTransformation", \.relayFailsTransformation, quirk: "relay-transformation-error",
            "mail to relay addresses is refused with `550 5.7.1 transformation error`",
            evidence: "it is taken; bad days of Apple's are reported so"),
        .choice(
            "defaultResponseMode", \.defaultResponseMode,
            (.formPost, "form-post-by-default", "without `response_mode` the answer is a form"),
            evidence: "OAuth's defaults; Apple names none"),
        .flag(
            "acceptsPlainCodeChallenges", \.acceptsPlainCodeChallenges, quirk: "pkce-takes-plain",
            "`code_challenge_method` may be `plain` or absent", evidence: "S256 alone, as seen in use"),
    ]

    private static let later: [BehaviourField] = [
        .flag(
            "userFieldHasAllParts", \.userFieldHasAllParts, quirk: "user-has-all-parts",
            "`user` has empty texts for what wasn't asked for", evidence: "it has not; inferred"),
        .flag(
            "emailComesFirstTimeOnly", \.emailComesFirstTimeOnly, quirk: "email-first-time-only",
            "tokens of later sign-ins and refreshes have no `email`", evidence: "all have it, as most report"),
        .flag(
            "stopUsingChangesRelayAddress", \.stopUsingChangesRelayAddress, quirk: "stop-using-changes-relay",
            "after Stop Using for a team's last app the relay address is new", evidence: "the old one, as `sub`"),
        .flag(
            "realUserStatusComesOnce", \.realUserStatusComesOnce, quirk: "real-user-status-once",
            "`real_user_status` doesn't come again after a consent has ended",
            evidence: "it does: that is a first time"),
        .flag(
            "siblingAppsGetName", \.siblingAppsGetName, quirk: "siblings-get-name",
            "an App ID of a group gets the name that another got, once",
            evidence: "it doesn't, because there is no sheet"),
        .flag(
            "passwordChangeNotifies", \.passwordChangeNotifies, quirk: "password-change-notifies",
            "a new password is `consent-revoked` to all apps in use",
            evidence: "no app is notified; no event is documented"),
        .choice(
            "forwardingOff", \.forwardingOff,
            (
                .mailboxDisabled, "forwarding-off-is-mailbox-disabled",
                "mail while forwarding is off is refused with `550 5.2.1`"
            ), evidence: "`550 5.1.1 bad mailbox name`; Apple's words aren't known"),
        .choice(
            "dailyMailLimit", \.dailyMailLimit,
            (.final, "daily-limit-is-final", "the 101st mail of a day is refused with `552 5.2.2`"),
            evidence: "`450 4.2.1`; Apple names the limit and no answer"),
        .flag(
            "scriptUsesPopupByDefault", \.scriptUsesPopupByDefault, quirk: "popup-by-default",
            "the script opens a popup where the page doesn't say", evidence: "the whole page leaves, as in 2019"),
        .flag(
            "stopUsingKeepsEmailChoice", \.stopUsingKeepsEmailChoice, quirk: "stop-using-keeps-email-choice",
            "after Stop Using the app gets the address that it had, and the sheet offers no other",
            evidence: "the person chooses again, as they write the name again"),
        .flag(
            "webDomainsNeedVerification", \.webDomainsNeedVerification, quirk: "web-domains-need-verification",
            "a redirect URI is refused until its [domain](emulator-portal.md#domains) is verified",
            evidence: "no such step, as in the guides of libraries"),
        .flag(
            "scriptHonoursDevTags", \.scriptHonoursDevTags, quirk: "script-honours-dev-tags",
            "the script goes where [two tags](emulator-script.md#where-apple-is-unclear) of the SDK of 2019 send it",
            evidence: "they are ignored: nobody reports that today's script has them"),
    ]
}

extension BehaviourTable {
    /// The names of all quirks, in the order of the table.
    package static let quirks = fields.flatMap { $0.alternatives.map(\.quirk) }

    /// Names of earlier quirks whose behaviour is the default now. They are accepted and change nothing.
    package static let formerQuirks: Set<String> = ["account-delete", "redirect-mismatch-is-invalid-grant"]
}
