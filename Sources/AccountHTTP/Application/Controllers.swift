import AccountService
import AppleID
import Hummingbird

/// The controllers of a server. Each has one method for each of its routes; ``Route/table`` says which.
///
/// It is a class, since the closures of a hundred routes hold it. Copies of so large a struct were most of this module's code.
final class Controllers: Sendable {
    let signIn: SignInController
    let nativeSignIn: NativeSignInController
    let providers: ProviderController
    let challenges: ChallengeController
    let authorizations: AuthorizationController
    let devices: DeviceController
    let sessions: SessionController
    let sessionList: SessionListController
    let notMe: NotMeController
    let reauthentication: ReauthenticationController
    let accounts: AccountController
    let profiles: ProfileController
    let contacts: ContactController
    let consents: ConsentController
    let events: EventController
    let exports: ExportController
    let deletions: DeletionController
    let passwords: PasswordController
    let passwordSignInPages: PasswordSignInPageController
    let emailLinkPages: EmailLinkPageController
    let passwordPages: PasswordPageController
    let upgrades: UpgradeController
    let links: LinkController
    let passwordLinks: PasswordLinkController
    let linkPages: LinkPageController
    let merges: MergeController
    let credentialStates: CredentialStateController
    let revocations: RevocationController
    let notifications: NotificationController
    let keySet: KeySetController
    let health: HealthController
    let assets: AssetController
    let wellKnownFiles: WellKnownFileController

    init(
        domain: AccountDomain, configuration: AccountHTTPConfiguration, pages: PageRenderer, callers: CallerReader
    ) {
        let limits = configuration.limits
        let body = JSONBody(limits: limits)
        let feature = PasswordFeature(domain)
        let ways = WaysInLookup(domain)
        let proofs = FreshProofs(domain, passwords: feature)
        let responses = AccountResponses(ways: ways)
        let policy = ContentSecurityPolicy.formsLead(toAppleOf: configuration)
        signIn = SignInController(
            signIn: domain.signIn, callback: domain.callback, pages: pages, limits: limits, callers: callers,
            hasPasswords: feature.isOn)
        nativeSignIn = NativeSignInController(
            signIn: domain.signIn, body: body, callers: callers, responses: responses)
        providers = ProviderController(
            signIn: domain.signIn, links: domain.links, reauthentications: domain.reauthentications,
            web: domain.providerSignIn, body: body, pages: pages, limits: limits,
            callers: callers, feature: feature, responses: responses)
        challenges = ChallengeController(challenges: domain.challenges, body: body)
        authorizations = AuthorizationController(
            authorizations: domain.authorizations, body: body, pages: pages, callers: callers, policy: policy)
        devices = DeviceController(
            authorizations: domain.authorizations, pages: pages, callers: callers, limits: limits, policy: policy,
            now: { [environment = domain.environment] in Timestamp(environment.now()) })
        sessions = SessionController(sessions: domain.sessions, body: body, callers: callers)
        sessionList = SessionListController(sessions: domain.sessions, pages: pages, callers: callers)
        notMe = NotMeController(
            sessions: domain.sessions, pages: pages, callers: callers, feature: feature, ways: ways)
        reauthentication = ReauthenticationController(
            reauthentications: domain.reauthentications, body: body, callers: callers, limits: limits,
            feature: feature, proofs: proofs, pages: pages, policy: policy)
        accounts = AccountController(pages: pages, feature: feature, ways: ways, responses: responses)
        profiles = ProfileController(
            profiles: domain.profiles, consents: domain.consents, pages: pages, body: body, limits: limits,
            callers: callers, ways: ways, responses: responses,
            confirmsContacts: domain.mailWriter.isConfigured && pages.hasBrowserSignIn)
        contacts = ContactController(profiles: domain.profiles, pages: pages, callers: callers)
        consents = ConsentController(
            consents: domain.consents, pages: pages, callers: callers, proofs: proofs, responses: responses,
            policy: policy)
        events = EventController(
            events: domain.events, limits: configuration.eventStreams, places: EventStreamPlaces(configuration))
        exports = ExportController(
            exports: domain.exports, environment: domain.environment, pages: pages, proofs: proofs,
            policy: policy)
        deletions = DeletionController(
            deletions: domain.deletions, pages: pages, body: body, callers: callers,
            limits: limits, proofs: proofs, policy: policy, web: domain.providerSignIn)
        passwords = PasswordController(feature: feature, responses: responses, body: body, callers: callers)
        passwordSignInPages = PasswordSignInPageController(
            feature: feature, pages: pages, limits: limits, callers: callers)
        emailLinkPages = EmailLinkPageController(feature: feature, pages: pages, limits: limits, callers: callers)
        passwordPages = PasswordPageController(
            feature: feature, ways: ways, proofs: proofs, pages: pages, limits: limits, callers: callers)
        upgrades = UpgradeController(
            upgrades: domain.upgrades, ways: ways, proofs: proofs, responses: responses, texts: domain.consents.texts,
            pages: pages, body: body, limits: limits, callers: callers, policy: policy)
        links = LinkController(
            links: domain.links, body: body, callers: callers, responses: responses, appName: pages.appName)
        passwordLinks = PasswordLinkController(feature: feature, body: body, callers: callers)
        linkPages = LinkPageController(
            links: domain.links, web: domain.providerSignIn, feature: feature, proofs: proofs,
            texts: domain.consents.texts, pages: pages, limits: limits, callers: callers, policy: policy)
        merges = MergeController(
            merges: domain.merges, responses: responses, texts: domain.consents.texts, pages: pages, body: body,
            limits: limits, callers: callers)
        credentialStates = CredentialStateController(states: domain.credentialStates)
        revocations = RevocationController(
            revocations: domain.revocations, body: body, callers: callers, appName: pages.appName)
        notifications = NotificationController(notifications: domain.notifications, limits: limits)
        keySet = KeySetController(keys: domain.serverKeys)
        health = HealthController(store: domain.store, apple: configuration.emulatorURL ?? "apple")
        assets = AssetController(assets: pages.assets)
        wellKnownFiles = WellKnownFileController(files: configuration.wellKnownFiles)
    }
}
