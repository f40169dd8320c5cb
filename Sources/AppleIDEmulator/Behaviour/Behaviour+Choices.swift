extension Behaviour {
    /// The error for a redirect URI that isn't registered.
    public enum UnregisteredRedirect: String, Sendable, CaseIterable {
        /// `invalid_request`, as people see it.
        case invalidRequest
        /// `unauthorized_client`, as a technical note of Apple's has it.
        case unauthorizedClient
    }

    /// The status of a refused authorization request.
    public enum RefusedAuthorization: String, Sendable, CaseIterable {
        /// 400, as a technical note of Apple's shows it.
        case badRequest
        /// 404, the only status beside 200 on Apple's page about the endpoint.
        case notFound
    }

    /// The response mode of a request that names none.
    public enum DefaultResponseMode: String, Sendable, CaseIterable {
        /// `query`, or `fragment` beside an identity token: the defaults of OAuth and OpenID Connect.
        case byResponseType
        /// `form_post`, as Apple's script asks for.
        case formPost
    }

    /// The error for a wrong `redirect_uri` beside a code.
    public enum RedirectMismatch: String, Sendable, CaseIterable {
        /// `invalid_grant`, as people receive it.
        case invalidGrant
        /// `invalid_client`, as Apple's list of errors says.
        case invalidClient
    }

    /// The error for a refresh token that is revoked or unknown. Apple documents both.
    public enum DeadRefreshToken: String, Sendable, CaseIterable {
        /// `invalid_grant`.
        case invalidGrant
        /// `invalid_request`.
        case invalidRequest
    }

    /// The first check of the token endpoint.
    public enum FirstCheck: String, Sendable, CaseIterable {
        /// The code or token, as since December 2022: a dead one is refused whoever sends it.
        case grant
        /// The client, as until December 2022.
        case client
    }

    /// The form of truth values in identity tokens.
    public enum BooleanClaims: String, Sendable, CaseIterable {
        /// JSON booleans, as since early 2024.
        case booleans
        /// The texts `"true"` and `"false"`, as until early 2024.
        case texts
    }

    /// How long an identity token lives.
    public enum IdentityTokenLifetime: String, Sendable, CaseIterable {
        /// 24 hours, as since 2023.
        case day
        /// 600 seconds, as in the first years.
        case tenMinutes
    }

    /// The issuer that the emulator names.
    public enum Issuer: String, Sendable, CaseIterable {
        /// The issuer of the configuration: Apple's `https://appleid.apple.com` by default.
        case configured
        /// `https://account.apple.com`, which Apple's discovery named in June 2025.
        case accountDomain
    }

    /// How long a code lives.
    public enum CodeLifetime: String, Sendable, CaseIterable {
        /// Five minutes, as documented.
        case fiveMinutes
        /// Ten minutes, as somebody measured.
        case tenMinutes
    }

    /// The error for a code with a wrong, missing or needless `code_verifier`. Apple doesn't document PKCE.
    public enum VerifierMismatch: String, Sendable, CaseIterable {
        /// `invalid_grant`, the error of RFC 7636.
        case invalidGrant
        /// `invalid_request`.
        case invalidRequest
    }

    /// The spelling of `token_type`.
    public enum TokenType: String, Sendable, CaseIterable {
        /// `Bearer`, as received.
        case capitalized
        /// `bearer`, as documented.
        case lowercase
    }

    /// The keys that `/auth/keys` shows.
    public enum PublishedKeys: String, Sendable, CaseIterable {
        /// All keys that aren't retired, the signing key first. Apple has shown three for years.
        case all
        /// The signing key alone, as in 2019.
        case signingKey
    }

    /// The reach of a client's revocation: the person's consent, or the session of the token.
    public enum RevocationEnds: String, Sendable, CaseIterable {
        /// The person's consent with all tokens, as documented.
        case consent
        /// The session of the token. Other sessions go on, and the name doesn't come again.
        case session
    }

    /// The answer to the revocation of a token that was never issued or is dead.
    public enum UnknownTokenRevocation: String, Sendable, CaseIterable {
        /// 200, as people see.
        case success
        /// `invalid_grant`, as documented.
        case invalidGrant
    }

    /// The answer to the revocation of another client's token, or with a wrong hint.
    public enum ForeignTokenRevocation: String, Sendable, CaseIterable {
        /// `invalid_grant` for another client's token and `invalid_request` for a wrong hint, as documented.
        case refused
        /// 200, and nothing is revoked.
        case success
    }

    /// The answer to a migration request that names the sender's own team as the target.
    public enum OwnTeamTarget: String, Sendable, CaseIterable {
        /// A transfer subject that no recipient can use, as Apple gave somebody 700,000 times.
        case transferSubject
        /// `invalid_request`.
        case invalidRequest
    }

    /// The form of the claim `events` in a notification.
    public enum EventsClaim: String, Sendable, CaseIterable {
        /// A text that holds a JSON object, as received.
        case text
        /// A JSON object, as documented.
        case object
    }

    /// The word for a deleted account in a notification.
    public enum DeletionEvent: String, Sendable, CaseIterable {
        /// `account-delete`, the only word that libraries know.
        case accountDelete
        /// `account-deleted`, as documented.
        case accountDeleted
    }

    /// The unit of `event_time`.
    public enum EventTime: String, Sendable, CaseIterable {
        /// Milliseconds since 1970, as received.
        case milliseconds
        /// Seconds since 1970, as in Apple's example.
        case seconds
    }

    /// The reply to mail for a relay address while forwarding is off. Apple's words aren't known.
    public enum ForwardingOff: String, Sendable, CaseIterable {
        /// `550 5.1.1 bad mailbox name`, a reply of Apple's relay that people have seen.
        case badMailboxName
        /// `550 5.2.1 mailbox disabled`, in the words of RFC 3463.
        case mailboxDisabled
    }

    /// The reply to the 101st mail of a day. Apple names the limit and no reply.
    public enum DailyMailLimit: String, Sendable, CaseIterable {
        /// `450 4.2.1`: the sender tries again later.
        case temporary
        /// `552 5.2.2`: the sender gives up.
        case final
    }

    /// The pages that receive the message of a popup. Apple's rule is inferred from reports of popups that never close.
    public enum PopupRecipients: String, Sendable, CaseIterable {
        /// Pages at the origin of the request's redirect URI.
        case redirectURI
        /// Pages at the origins of all return URLs of the Services ID.
        case anyReturnURL
    }

    /// The place of the result in the script's success event.
    public enum EventDetail: String, Sendable, CaseIterable {
        /// In `event.detail`, as working pages read it.
        case detail
        /// In `event.detail.data`, as in Apple's sample.
        case data
    }

    /// The error of an authorization on a device without an Apple Account. Both are reported.
    public enum MissingDeviceAccount: String, Sendable, CaseIterable {
        /// `unknown` (1000).
        case unknown
        /// `canceled` (1001).
        case canceled
    }
}
