import HTTPTypes
import WellKnownFiles

/// The routes of a feature.
struct RouteSection: Sendable {
    let title: String
    let routes: [Route]

    init(_ title: String, _ routes: [Route]) {
        self.title = title
        self.routes = routes
    }
}

extension Route {
    /// Every route of the service: method, path, who may call it, what it costs an address, and the setting that it
    /// needs. The router is built from this table and from nothing else. `make routes` writes it into Docs/routes.md.
    static let table = [
        signIn, providers, passwords, authorizations, devices, sessions, account, links, profile, consent, deletion,
        apple, server,
        wellKnownFiles,
    ]

    private static let signIn = RouteSection(
        "Sign-in",
        [
            Route(.get, "/", .visitor { $0.signIn.page }),
            Route(.get, "/sign-in/apple", .visitor { $0.signIn.sendToApple }, .each(.beginning), when: .webSignIn),
            Route(
                .post, "/sign-in/apple", .visitor { $0.signIn.beginByScript }, .each(.beginning), when: .signInScript),
            Route(
                .post, "/sign-in/apple/callback", .formOfApple { $0.signIn.finish }, .each(.callback),
                when: .servicesID),
            Route(.post, "/v1/sign-in/apple", .anyone { $0.nativeSignIn.finish }, .each(.signIn)),
            Route(.post, "/v1/challenges", .anyoneOrSession { $0.challenges.make }, .each(.challenge)),
        ])

    private static let providers = RouteSection(
        "Sign-in with other providers",
        [
            Route(
                .get, "/sign-in/{provider}", .visitor { $0.providers.sendToProvider }, .each(.beginning),
                when: .providersInBrowsers),
            Route(
                .post, "/sign-in/{provider}/callback", .formOfProvider { $0.providers.finishByForm },
                .each(.callback), when: .providersInBrowsers),
            Route(
                .get, "/sign-in/{provider}/callback", .page { $0.providers.finishByQuery }, .each(.callback),
                when: .providersInBrowsers),
            // Without this line Hummingbird would answer HEAD by the handler of GET, which uses the attempt up.
            Route(
                .head, "/sign-in/{provider}/callback", .page { $0.providers.answerHead }, .each(.callback),
                when: .providersInBrowsers),
            Route(
                .post, "/reauthenticate/{provider}", .browser { $0.providers.prove }, when: .providersInBrowsers),
            Route(.post, "/v1/sign-in/{provider}", .anyone { $0.providers.native }, .each(.signIn), when: .providers),
            Route(.post, "/v1/reauthenticate/{provider}", .session { $0.providers.renew }, when: .providers),
            Route(.post, "/v1/link/{provider}", .session { $0.providers.link }, when: .providers),
        ])

    private static let passwords = RouteSection(
        "Sign-in by password or by a link in a mail",
        [
            Route(.post, "/v1/sign-up", .anyone { $0.passwords.signUp }, .each(.mailedLink), when: .passwords),
            Route(.post, "/v1/sign-in/password", .anyone { $0.passwords.signIn }, .each(.password), when: .passwords),
            Route(
                .post, "/v1/sign-in/link", .anyone { $0.passwords.requestLink }, .each(.mailedLink), when: .passwords),
            Route(
                .post, "/v1/password/forgotten", .anyone { $0.passwords.requestReset }, .each(.mailedLink),
                when: .passwords),
            Route(.post, "/v1/email-links", .anyone { $0.passwords.link }, .refused(.refusedLink), when: .passwords),
            Route(
                .post, "/v1/sign-up/finish", .anyone { $0.passwords.finishSignUp }, .each(.password), when: .passwords),
            Route(
                .post, "/v1/sign-in/link/finish", .anyone { $0.passwords.finishSignIn }, .each(.password),
                when: .passwords),
            Route(.post, "/v1/password/reset", .anyone { $0.passwords.reset }, .each(.password), when: .passwords),
            Route(.post, "/v1/password", .session { $0.passwords.change }, .each(.password), when: .passwords),
            Route(
                .post, "/v1/reauthenticate/password", .session { $0.passwords.reauthenticate }, .each(.password),
                when: .passwords),
            Route(.post, "/v1/account/upgrade", .session { $0.upgrades.upgrade }, when: .passwords),
            Route(.get, "/sign-in", .visitor { $0.passwordSignInPages.page }, when: .passwords),
            Route(.post, "/sign-in", .visitor { $0.passwordSignInPages.signIn }, .each(.password), when: .passwords),
            Route(.get, "/sign-up", .page { $0.passwordSignInPages.signUpPage }, when: .passwords),
            Route(.post, "/sign-up", .page { $0.passwordSignInPages.signUp }, .each(.mailedLink), when: .passwords),
            Route(.get, "/sign-in/link", .page { $0.passwordSignInPages.linkPage }, when: .passwords),
            Route(
                .post, "/sign-in/link", .page { $0.passwordSignInPages.requestLink }, .each(.mailedLink),
                when: .passwords),
            Route(.get, "/forgotten", .page { $0.passwordSignInPages.forgottenPage }, when: .passwords),
            Route(
                .post, "/forgotten", .page { $0.passwordSignInPages.requestReset }, .each(.mailedLink), when: .passwords
            ),
            Route(
                .get, "/email-links/{token}", .visitor { $0.emailLinkPages.ask }, .refused(.refusedLink),
                when: .passwords),
            Route(
                .post, "/email-links/{token}", .visitor { $0.emailLinkPages.finish }, .each(.password), when: .passwords
            ),
            Route(.get, "/account/password", .browser { $0.passwordPages.page }, when: .passwords),
            Route(.post, "/account/password", .browser { $0.passwordPages.save }, .each(.password), when: .passwords),
            Route(
                .post, "/account/password/reset", .browser { $0.passwordPages.requestReset }, .each(.mailedLink),
                when: .passwords),
            Route(
                .post, "/reauthenticate/password", .browser { $0.reauthentication.proveByPassword }, .each(.password),
                when: .passwords),
            Route(
                .post, "/reauthenticate/link", .browser { $0.reauthentication.requestLink }, .each(.mailedLink),
                when: .passwords),
            Route(.get, "/account/upgrade", .browser { $0.upgrades.page }, when: .passwordsAndWebSignIn),
            Route(
                .post, "/account/upgrade", .browser { $0.upgrades.sendToApple }, .each(.password),
                when: .passwordsAndWebSignIn),
        ])

    private static let authorizations = RouteSection(
        "Authorizations for apps without Apple's framework",
        [
            Route(.post, "/v1/authorizations", .anyone { $0.authorizations.begin }, .each(.authorization)),
            Route(.post, "/v1/authorizations/cancel", .anyone { $0.authorizations.cancel }, .each(.authorization)),
            Route(.post, "/v1/authorizations/redeem", .anyone { $0.authorizations.redeem }, .each(.redemption)),
            Route(
                .get, "/authorizations/{id}", .page { $0.authorizations.prompt }, .each(.authorization),
                when: .authorizations),
            Route(
                .post, "/authorizations/{id}", .page { $0.authorizations.proceed }, .each(.authorization),
                when: .authorizations),
            Route(
                .get, "/authorizations/{id}/done", .page { $0.authorizations.end }, .each(.authorization),
                when: .authorizations),
            Route(
                .get, "/authorizations/{id}/return", .page { $0.authorizations.returnToApp }, .each(.authorization),
                when: .authorizations),
            // Without this line Hummingbird would answer HEAD by the handler of GET, which makes a new handle and ends
            // the one that the app may have.
            Route(
                .head, "/authorizations/{id}/return", .page { $0.authorizations.answerHead }, .each(.authorization),
                when: .authorizations),
        ])

    private static let devices = RouteSection(
        "Sign-in on a device",
        [
            Route(.get, "/device", .page { $0.devices.form }, .each(.authorization), when: .authorizations),
            Route(.post, "/device", .page { $0.devices.find }, .each(.authorization), when: .authorizations),
            Route(.post, "/device/allow", .page { $0.devices.allow }, .each(.authorization), when: .authorizations),
            Route(.post, "/device/deny", .page { $0.devices.deny }, .each(.authorization), when: .authorizations),
        ])

    private static let sessions = RouteSection(
        "Sessions",
        [
            Route(.post, "/v1/session/refresh", .anyone { $0.sessions.refresh }, .refused(.refusedRefresh)),
            Route(.delete, "/v1/session", .session { $0.sessions.end }),
            Route(.post, "/sign-out", .visitor { $0.sessions.signOut }),
            Route(.get, "/v1/sessions", .session { $0.sessionList.list }),
            Route(.delete, "/v1/sessions", .session { $0.sessionList.endAll }),
            Route(.delete, "/v1/sessions/{id}", .session { $0.sessionList.end }),
            Route(.get, "/account/sessions", .browser { $0.sessionList.page }),
            Route(.get, "/account/sessions/end-others", .browser { $0.sessionList.askOthersOnPage }),
            Route(.post, "/account/sessions/end-others", .browser { $0.sessionList.endOthersOnPage }),
            Route(.post, "/account/sessions/{id}/end", .browser { $0.sessionList.endOnPage }),
            Route(.get, "/sessions/not-me/{token}", .page { $0.notMe.ask }, .refused(.refusedLink)),
            Route(.post, "/sessions/not-me/{token}", .visitor { $0.notMe.end }, .refused(.refusedLink)),
            Route(.post, "/v1/reauthenticate/apple", .session { $0.reauthentication.renew }),
            Route(.post, "/reauthenticate/apple", .browser { $0.reauthentication.sendToApple }, when: .webSignIn),
        ])

    private static let account = RouteSection(
        "The account",
        [
            Route(.get, "/v1/account", .session { $0.accounts.show }),
            Route(.get, "/account", .browser { $0.accounts.page }),
            Route(.get, "/v1/account/events", .sessionOrEnded { $0.events.follow }),
            Route(.get, "/v1/account/export", .session { $0.exports.show }),
            Route(.get, "/account/export", .browser { $0.exports.offer }, when: .browserSignIn),
            Route(.get, "/account/export/file", .browser { $0.exports.download }, when: .browserSignIn),
        ])

    private static let links = RouteSection(
        "Several ways in",
        [
            Route(.get, "/v1/links", .session { $0.links.list }),
            Route(.post, "/v1/link/apple", .session { $0.links.linkApple }),
            Route(.post, "/v1/sign-in/handle", .session { $0.links.signIn }),
            Route(
                .post, "/v1/link/password", .session { $0.passwordLinks.request }, .each(.mailedLink), when: .passwords),
            Route(
                .post, "/v1/link/password/finish", .session { $0.passwordLinks.finish }, .refused(.refusedLink),
                when: .passwords),
            Route(.delete, "/v1/links/{id}", .session { $0.links.remove }),
            Route(.get, "/account/links", .browser { $0.linkPages.page }, when: .browserSignIn),
            Route(.post, "/account/links/apple", .browser { $0.linkPages.sendToApple }, when: .webSignIn),
            Route(
                .post, "/account/links/providers/{provider}", .browser { $0.linkPages.sendToProvider },
                when: .providersInBrowsers),
            Route(
                .post, "/account/links/password", .browser { $0.linkPages.requestAddress }, .each(.mailedLink),
                when: .passwords),
            Route(.get, "/account/links/{id}/remove", .browser { $0.linkPages.ask }, when: .browserSignIn),
            Route(.post, "/account/links/{id}/remove", .browser { $0.linkPages.remove }, when: .browserSignIn),
            Route(.post, "/sign-in/handle", .browser { $0.linkPages.signIn }, when: .browserSignIn),
            Route(.post, "/v1/account/merge/preview", .session { $0.merges.preview }),
            Route(.post, "/v1/account/merge", .session { $0.merges.merge }),
            Route(.get, "/account/merge", .browser { $0.merges.page }, when: .browserSignIn),
            Route(.post, "/account/merge", .browser { $0.merges.ask }, when: .browserSignIn),
            Route(.post, "/account/merge/confirm", .browser { $0.merges.confirm }, when: .browserSignIn),
        ])

    private static let profile = RouteSection(
        "The profile",
        [
            Route(.patch, "/v1/account", .session { $0.profiles.update }),
            Route(.get, "/account/profile", .browser { $0.profiles.page }),
            Route(.post, "/account/profile/name", .browser { $0.profiles.saveName }),
            Route(.post, "/account/profile/contact-email", .browser { $0.profiles.saveContactEmail }),
            Route(.post, "/account/profile/phone", .browser { $0.profiles.savePhone }),
            Route(.get, "/contact/{token}", .browser { $0.contacts.ask }, .refused(.refusedLink), when: .browserSignIn),
            Route(
                .post, "/contact/{token}", .browser { $0.contacts.confirm }, .refused(.refusedLink),
                when: .browserSignIn),
            Route(.get, "/contact/take-back/{token}", .page { $0.contacts.askTakeBack }, .refused(.refusedLink)),
            Route(.post, "/contact/take-back/{token}", .page { $0.contacts.takeBack }, .refused(.refusedLink)),
        ])

    private static let consent = RouteSection(
        "Consent",
        [
            Route(.get, "/v1/consent-texts/{version}", .anyone { $0.consents.text }),
            Route(.get, "/v1/consents", .session { $0.consents.list }),
            Route(.delete, "/v1/consents/{id}", .session { $0.consents.withdraw }),
            Route(.get, "/account/consents", .browser { $0.consents.page }),
            Route(.get, "/account/consents/{id}/withdraw", .browser { $0.consents.ask }),
            Route(.post, "/account/consents/{id}/withdraw", .browser { $0.consents.withdrawOnPage }),
        ])

    private static let deletion = RouteSection(
        "Deletion",
        [
            Route(.delete, "/v1/account", .session { $0.deletions.delete }),
            Route(.post, "/v1/account/delete", .session { $0.deletions.deleteWithCredential }),
            Route(.get, "/v1/deletions/{handle}", .anyone { $0.deletions.show }, .refused(.refusedHandle)),
            Route(.get, "/account/delete", .browser { $0.deletions.ask }, when: .browserSignIn),
            Route(.post, "/account/delete", .browser { $0.deletions.confirm }, when: .browserSignIn),
            Route(.get, "/deletions/{handle}", .visitor { $0.deletions.page }, .refused(.refusedHandle)),
        ])

    private static let apple = RouteSection(
        "Apple",
        [
            Route(.get, "/v1/apple/credential-state", .sessionOrEnded { $0.credentialStates.show }),
            Route(.post, "/v1/apple/revoke", .session { $0.revocations.revoke }),
            Route(
                .post, "/apple/notifications", .anyone { $0.notifications.receive }, .refused(.refusedNotification)),
        ])

    private static let server = RouteSection(
        "The server",
        [
            Route(.get, "/.well-known/jwks.json", .anyone { $0.keySet.show }),
            Route(.get, "/healthz", .anyone { $0.health.health }),
            Route(.get, "/readyz", .anyone { $0.health.readiness }),
            Route(.get, "/assets/{file}", .files),
        ])

    private static let wellKnownFiles = RouteSection(
        "The operator's files",
        [
            file(.appSiteAssociation) { $0.wellKnownFiles.appSiteAssociation },
            file(.assetLinks) { $0.wellKnownFiles.assetLinks },
            file(.domainAssociation) { $0.wellKnownFiles.domainAssociation },
            file(.securityText) { $0.wellKnownFiles.securityText },
        ])

    private static func file(_ file: WellKnownFile, _ handler: @escaping Handler<ServiceContext>) -> Route {
        Route(.get, file.path, .anyone(handler), when: .file(file))
    }
}
