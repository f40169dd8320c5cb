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

    /// Leaves the `user` field out of the first sign-in after a consent ended by `/auth/revoke`. A device gets no name
    /// or address then.
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
