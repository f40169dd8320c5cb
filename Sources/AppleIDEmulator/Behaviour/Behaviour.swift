/// Every choice that Apple leaves open: what the emulator does where Apple's documents are silent, contradict each
/// other, or differ from what people receive.
///
/// A new value holds the defaults that the best evidence supports. Set a field to see the other side:
///
///     var configuration = EmulatorConfiguration()
///     configuration.behaviour.redirectMismatch = .invalidClient
///
/// `BehaviourTable` names each field with the evidence for its default. Command line, control calls, documentation and
/// snapshots are made from that table.
public struct Behaviour: Hashable, Sendable {
    // MARK: Authorization

    /// Makes a `+` between scopes lose the scopes, as on Apple's devices, which can take an authorization request over
    /// from the browser. Apple's page reads the plus as a space.
    public var plusLosesScopes = false

    /// Lets `/auth/authorize` take an App ID as `client_id`, with the return URLs of its group, as Apple's page says.
    /// People report that only a Services ID gets through.
    public var acceptsAppIDsOnTheWeb = false

    /// The error for a redirect URI that isn't registered.
    public var unregisteredRedirect = UnregisteredRedirect.invalidRequest

    /// The status of the page that shows why `/auth/authorize` refuses a request.
    public var refusedAuthorization = RefusedAuthorization.badRequest

    /// Asks the person for a scope that an app requests later for the first time, and grants it if the person agrees.
    public var asksForNewScopes = false

    /// Refuses to sign in an account of a child. The rules differ from country to country.
    public var refusesChildren = false

    /// The response mode of a request that names none.
    public var defaultResponseMode = DefaultResponseMode.byResponseType

    /// Accepts the code challenge method `plain`, and none, as RFC 7636 has it. Only S256 is seen in use with Apple.
    public var acceptsPlainCodeChallenges = false

    /// Puts name and email into the `user` field as empty texts where no scope asked for them.
    public var userFieldHasAllParts = false

    /// Gives an App ID of a group the person's name when it first meets the person, as the person gave it to another
    /// app of the group.
    public var siblingAppsGetName = false

    /// Refuses a redirect URI until the association file was found at its domain, as one guide demands.
    public var webDomainsNeedVerification = false

    /// The error for a wrong `redirect_uri` beside a code.
    public var redirectMismatch = RedirectMismatch.invalidGrant

    // MARK: Tokens

    /// Serves one refresh with a refresh token in 24 hours, and answers 429 with `temporarily_unavailable` to more.
    public var limitsRefreshToOnceADay = false

    /// Leaves the identity token out of the answer to a refresh.
    public var refreshOmitsIdentityToken = false

    /// The error for a refresh token that is revoked or unknown.
    public var deadRefreshToken = DeadRefreshToken.invalidGrant

    /// The first check of `/auth/token` and `/auth/revoke`: the code or token, or the client.
    public var firstCheck = FirstCheck.grant

    /// Treats every client like one whose App ID has lost the capability: the token endpoint answers
    /// `unauthorized_client` to every grant.
    public var clientsLackCapability = false

    /// The form of `email_verified` and `is_private_email` in identity tokens.
    public var booleanClaims = BooleanClaims.booleans

    /// Puts `is_private_email` into identity tokens when it is false, too.
    public var showsFalsePrivateEmail = false

    /// How long an identity token lives.
    public var identityTokenLifetime = IdentityTokenLifetime.day

    /// The issuer in tokens and notifications.
    public var tokenIssuer = Issuer.configured

    /// Leaves `email` out of the tokens of later sign-ins and of refreshes.
    public var emailComesFirstTimeOnly = false

    /// Leaves `real_user_status` out of tokens after a consent has ended once.
    public var realUserStatusComesOnce = false

    /// How long a code lives.
    public var codeLifetime = CodeLifetime.fiveMinutes

    /// Ends the tokens that a code was redeemed for when the code is redeemed again, as OAuth advises.
    public var reusedCodeEndsTokens = false

    /// The error for a code with a wrong, missing or needless `code_verifier`.
    public var verifierMismatch = VerifierMismatch.invalidGrant

    /// The spelling of `token_type`.
    public var tokenType = TokenType.capitalized

    /// Leaves `error_description` out of the errors of the endpoints that clients call.
    public var errorsOmitDescription = false

    /// Adds an unrelated `"email_verified":false` to the errors of the endpoints that clients call.
    public var errorsHaveJunk = false

    // MARK: Discovery and keys

    /// The issuer that discovery names.
    public var discoveryIssuer = Issuer.configured

    /// Answers discovery with a redirection to another address, as Apple did in June 2025.
    public var redirectsDiscovery = false

    /// The keys that `/auth/keys` shows.
    public var publishedKeys = PublishedKeys.all

    // MARK: Revocation

    /// The reach of a client's revocation: the person's consent, or the session of the token.
    public var revocationEnds = RevocationEnds.consent

    /// The answer to the revocation of a token that was never issued or is dead.
    public var unknownTokenRevocation = UnknownTokenRevocation.success

    /// The answer to the revocation of another client's token, or with a wrong hint.
    public var foreignTokenRevocation = ForeignTokenRevocation.refused

    /// Gives the empty answer of `/auth/revoke` a `Content-Type`.
    public var revocationAnswerHasContentType = false

    /// Sends no `consent-revoked` when a consent ends by `/auth/revoke`.
    public var revocationIsSilent = false

    /// Leaves the `user` field out of the first sign-in after a consent ended by `/auth/revoke`.
    public var revocationKeepsName = false

    // MARK: Transfer

    /// The answer to a migration request that names the sender's own team as the target.
    public var ownTeamTarget = OwnTeamTarget.transferSubject

    // MARK: Notifications and settings

    /// The form of the claim `events` in a notification.
    public var eventsClaim = EventsClaim.text

    /// The word for a deleted account in a notification.
    public var deletionEvent = DeletionEvent.accountDelete

    /// The unit of `event_time`.
    public var eventTime = EventTime.milliseconds

    /// Leaves `exp` out of notifications.
    public var notificationsOmitExpiry = false

    /// Tries each notification once.
    public var triesNotificationsOnce = false

    /// Gives the person a new relay address after they stopped using the team's last app that had the old one.
    public var stopUsingChangesRelayAddress = false

    /// Keeps the person's choice of an address for the next sign-in after they stopped using the app.
    public var stopUsingKeepsEmailChoice = false

    /// Sends `consent-revoked` to the person's apps when the person changes the password.
    public var passwordChangeNotifies = false

    // MARK: Mail

    /// The domain of relay addresses, but for people whose portal entry names one.
    public var relayDomain = Portal.RelayDomain.classic

    /// Refuses every mail to a relay address with `5.7.1 transformation error`, as people report of bad days.
    public var relayFailsTransformation = false

    /// The reply to mail for a relay address while forwarding is off.
    public var forwardingOff = ForwardingOff.badMailboxName

    /// The reply to the 101st mail of a day.
    public var dailyMailLimit = DailyMailLimit.temporary

    // MARK: Script, buttons and devices

    /// The pages that receive a popup's message.
    public var popupRecipients = PopupRecipients.redirectURI

    /// The place of the result in the script's success event.
    public var eventDetail = EventDetail.detail

    /// Makes the script open a popup where the page doesn't say whether it wants one.
    public var scriptUsesPopupByDefault = false

    /// Makes the script go where `appleid-signin-dev-uri` and `appleid-signin-dev-path` send it, as the script of 2019
    /// does.
    public var scriptHonoursDevTags = false

    /// Answers 404 to a button image with a parameter that its own page of documentation doesn't list.
    public var buttonsRefuseForeignParameters = false

    /// The error of an authorization on a device without an Apple Account.
    public var missingDeviceAccount = MissingDeviceAccount.unknown

    /// Leaves the authorized scopes out of a device's credential.
    public var credentialOmitsScopes = false

    /// Creates the behaviour that the best evidence supports.
    public init() {}
}

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
