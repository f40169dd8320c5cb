package import HTTPTypes
import Hummingbird

/// One line of the table of routes: a method and a path, who may use it, and the endpoint that answers.
package struct EmulatorRoute: Sendable {
    /// The clients that may send a request to a route.
    package enum Access: String, Sendable, CaseIterable {
        /// Everybody. Apple has most of these addresses, too.
        case anyone
        /// Everybody who addresses the emulator by one of its own names; see ``SheetGuard``.
        case sheet
        /// The person who runs the emulator, in a browser; see ``PageGuard``.
        case page
        /// The person who runs the emulator, with a control call; see ``ControlGuard``.
        case control
    }

    typealias Handler = @Sendable @concurrent (Request, EmulatorContext) async throws -> Response

    package let method: HTTPRequest.Method
    /// The path as OpenAPI writes it: `/emulator/mail/{id}`.
    package let path: String
    package let access: Access
    /// A phrase that says what a request to the route does.
    package let summary: String
    let handler: @Sendable (EmulatorCore, Pages) -> Handler

    fileprivate static func get(
        _ path: String, _ access: Access, _ summary: String,
        _ handler: @escaping @Sendable (EmulatorCore, Pages) -> Handler
    ) -> Self {
        Self(method: .get, path: path, access: access, summary: summary, handler: handler)
    }

    fileprivate static func post(
        _ path: String, _ access: Access, _ summary: String,
        _ handler: @escaping @Sendable (EmulatorCore, Pages) -> Handler
    ) -> Self {
        Self(method: .post, path: path, access: access, summary: summary, handler: handler)
    }
}

/// The table of routes. `EmulatorRouter` serves it, and the documentation and the OpenAPI file are compared with it.
extension EmulatorRoute {
    /// All routes. A `GET` is a `HEAD`, too. The other usual methods of a path are answered 405.
    package static let all: [EmulatorRoute] = [
        appleEndpoints, sheet, script, pages, control, portal, people, notifications, mail, faults,
    ].flatMap(\.self)

    private static let appleEndpoints: [EmulatorRoute] = [
        .get("/.well-known/openid-configuration", .anyone, "discovery") { core, _ in
            DiscoveryEndpoint(core: core).configuration
        },
        .get("/account.apple.com/.well-known/openid-configuration", .anyone, "discovery, where it was in June 2025") {
            core, _ in DiscoveryEndpoint(core: core).otherConfiguration
        },
        .get("/auth/keys", .anyone, "the keys that verify tokens") { core, _ in
            PublishedKeysEndpoint(core: core).keys
        },
        .post("/auth/token", .anyone, "tokens for a code, for a refresh token, or for the client itself") { core, _ in
            TokenEndpoint(core: core).token
        },
        .post("/auth/revoke", .anyone, "ends what a token stands for") { core, _ in
            RevocationEndpoint(core: core).revoke
        },
        .post("/auth/usermigrationinfo", .anyone, "the subjects of a person on both sides of a transfer") { core, _ in
            MigrationEndpoint(core: core).migrate
        },
    ]

    private static let sheet: [EmulatorRoute] = [
        .get("/auth/authorize", .sheet, "checks the request, and asks which person is there") { core, pages in
            AuthorizationEndpoint(core: core, pages: pages).authorize
        },
        .get("/auth/authorize/sheet", .sheet, "shows the person what the app asks for") { core, pages in
            AuthorizationEndpoint(core: core, pages: pages).sheet
        },
        .post("/auth/authorize/decision", .sheet, "takes Continue or Cancel, and answers the app") { core, pages in
            AuthorizationEndpoint(core: core, pages: pages).decide
        },
        .post("/auth/sign-in/password", .anyone, "takes the password, before the sheet or the settings") {
            core, pages in SignInEndpoint(core: core, pages: pages).password
        },
        .post("/auth/sign-in/code", .anyone, "takes the six digits, before the sheet or the settings") { core, pages in
            SignInEndpoint(core: core, pages: pages).code
        },
    ]

    private static let script: [EmulatorRoute] = [
        .get("/appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js", .anyone, "Sign in with Apple JS") {
            core, pages in ScriptEndpoint(core: core, pages: pages).script
        },
        .get("/appleid/button", .anyone, "a button with the mark and the title in the middle") { core, _ in
            ButtonEndpoint(core: core).center
        },
        .get("/appleid/button/left", .anyone, "a button with the mark and the title where they are told to be") {
            core, _ in ButtonEndpoint(core: core).left
        },
        .get("/appleid/button/logo", .anyone, "the mark alone") { core, _ in ButtonEndpoint(core: core).logo },
        .get("/assets/message.js", .anyone, "the script of a popup's last page") { core, pages in
            ScriptEndpoint(core: core, pages: pages).messageScript
        },
        .get("/assets/delivery.js", .anyone, "the script that submits the form of `form_post`") { _, pages in
            AssetEndpoint(pages: pages).deliveryScript
        },
        .get("/assets/emulator.css", .anyone, "the style of all pages") { _, pages in
            AssetEndpoint(pages: pages).stylesheet
        },
        .get("/assets/icon.svg", .anyone, "the icon of all pages") { _, pages in AssetEndpoint(pages: pages).icon },
    ]

    private static let pages: [EmulatorRoute] = [
        .get("/", .anyone, "about the emulator") { core, pages in IndexEndpoint(core: core, pages: pages).index },
        .get("/emulator-root.pem", .anyone, "the certificate that clients have to trust, with `--tls`") { core, _ in
            RootCertificateEndpoint(core: core).root
        },
        .get("/settings", .page, "whose settings?") { core, pages in
            SettingsEndpoint(core: core, pages: pages).people
        },
        .get("/settings/apps", .page, "the apps that a person uses") { core, pages in
            SettingsEndpoint(core: core, pages: pages).apps
        },
        .get("/settings/app", .page, "what an app knows of a person") { core, pages in
            SettingsEndpoint(core: core, pages: pages).app
        },
        .post("/settings/stop-using", .page, "ends a person's consent to an app") { core, pages in
            SettingsEndpoint(core: core, pages: pages).stopUsing
        },
        .post("/settings/forwarding", .page, "switches the forwarding of mail") { core, pages in
            SettingsEndpoint(core: core, pages: pages).forwarding
        },
        .get("/settings/password", .page, "the form for a new password") { core, pages in
            AccountSettingsEndpoint(core: core, pages: pages).password
        },
        .post("/settings/password", .page, "changes the password") { core, pages in
            AccountSettingsEndpoint(core: core, pages: pages).changePassword
        },
        .get("/settings/delete", .page, "asks whether the account is to be deleted") { core, pages in
            AccountSettingsEndpoint(core: core, pages: pages).confirmation
        },
        .post("/settings/delete", .page, "deletes the account") { core, pages in
            AccountSettingsEndpoint(core: core, pages: pages).delete
        },
    ]

    private static let control: [EmulatorRoute] = [
        .get("/emulator/openapi.json", .control, "the description of all calls") { _, _ in
            DescriptionEndpoint().description
        },
        .post("/emulator/authorizations", .control, "the sheet without a browser") { core, _ in
            AuthorizationControl(core: core).authorize
        },
        .post("/emulator/device/authorizations", .control, "an authorization on a device") { core, _ in
            DeviceEndpoint(core: core).authorize
        },
        .post("/emulator/device/credential-state", .control, "what a device says of a user identifier") { core, _ in
            DeviceEndpoint(core: core).credentialState
        },
        .get("/emulator/behaviour", .control, "what the emulator does where Apple leaves it open") { core, _ in
            BehaviourEndpoint(core: core).show
        },
        .post("/emulator/behaviour", .control, "sets the named fields of that") { core, _ in
            BehaviourEndpoint(core: core).change
        },
        .get("/emulator/quirks", .control, "the same by the names of quirks") { core, _ in
            BehaviourEndpoint(core: core).showQuirks
        },
        .post("/emulator/quirks", .control, "switches the named quirks on, and all others off") { core, _ in
            BehaviourEndpoint(core: core).replaceQuirks
        },
        .get("/emulator/keys", .control, "the published keys, and which one signs") { core, _ in
            SigningKeyEndpoint(core: core).list
        },
        .post("/emulator/keys/rotate", .control, "makes a key and signs with it") { core, _ in
            SigningKeyEndpoint(core: core).rotate
        },
        .post("/emulator/keys/retire", .control, "takes keys out of the published set") { core, _ in
            SigningKeyEndpoint(core: core).retire
        },
        .get("/emulator/clock", .control, "the emulator's time") { core, _ in ClockEndpoint(core: core).show },
        .post("/emulator/clock", .control, "sets, moves or stops the time") { core, _ in
            ClockEndpoint(core: core).set
        },
        .get("/emulator/snapshot", .control, "the whole state") { core, _ in SnapshotEndpoint(core: core).save },
        .post("/emulator/snapshot", .control, "puts a snapshot in the place of the state") { core, _ in
            SnapshotEndpoint(core: core).load
        },
        .post("/emulator/reset", .control, "forgets what people did") { core, _ in ResetEndpoint(core: core).reset },
    ]

    private static let portal: [EmulatorRoute] = [
        .get("/emulator/portal", .control, "teams, apps, keys and people") { core, _ in
            PortalEndpoint(core: core).portal
        },
        .post("/emulator/portal/teams", .control, "adds or changes a team") { core, _ in
            PortalChangeEndpoint(core: core).putTeam
        },
        .post("/emulator/portal/teams/remove", .control, "removes a team") { core, _ in
            PortalChangeEndpoint(core: core).removeTeam
        },
        .post("/emulator/portal/apps", .control, "adds or changes an App ID") { core, _ in
            PortalChangeEndpoint(core: core).putApp
        },
        .post("/emulator/portal/apps/remove", .control, "removes an App ID") { core, _ in
            PortalChangeEndpoint(core: core).removeApp
        },
        .post("/emulator/portal/services", .control, "adds or replaces a Services ID") { core, _ in
            PortalChangeEndpoint(core: core).putService
        },
        .post("/emulator/portal/services/remove", .control, "removes a Services ID") { core, _ in
            PortalChangeEndpoint(core: core).removeService
        },
        .post("/emulator/portal/services/verify", .control, "verifies a domain of a Services ID") { core, _ in
            WebDomainEndpoint(core: core).verify
        },
        .post("/emulator/portal/keys", .control, "adds or replaces a key") { core, _ in
            PortalChangeEndpoint(core: core).putKey
        },
        .post("/emulator/portal/keys/remove", .control, "removes a key") { core, _ in
            PortalChangeEndpoint(core: core).removeKey
        },
        .post("/emulator/portal/people", .control, "adds or replaces a person") { core, _ in
            PortalChangeEndpoint(core: core).putPerson
        },
        .post("/emulator/portal/people/remove", .control, "removes a person") { core, _ in
            PortalChangeEndpoint(core: core).removePerson
        },
        .get("/emulator/transfers", .control, "the apps that went to another team") { core, _ in
            TransferEndpoint(core: core).transfers
        },
        .post("/emulator/transfers", .control, "transfers an app to another team") { core, _ in
            TransferEndpoint(core: core).transfer
        },
    ]

    private static let people: [EmulatorRoute] = [
        .get("/emulator/grants", .control, "which people use which apps") { core, _ in
            GrantEndpoint(core: core).grants
        },
        .post("/emulator/grants/stop-using", .control, "ends a person's consent to an app") { core, _ in
            GrantEndpoint(core: core).stopUsing
        },
        .post("/emulator/grants/forwarding", .control, "switches the forwarding of mail") { core, _ in
            GrantEndpoint(core: core).forwarding
        },
        .post("/emulator/people/change-password", .control, "changes a person's password") { core, _ in
            PeopleEndpoint(core: core).changePassword
        },
        .post("/emulator/people/delete", .control, "deletes a person's account") { core, _ in
            PeopleEndpoint(core: core).delete
        },
    ]

    private static let notifications: [EmulatorRoute] = [
        .get("/emulator/notifications", .control, "the notifications of this run") { core, _ in
            NotificationEndpoint(core: core).list
        },
        .post("/emulator/notifications", .control, "sends a notification") { core, _ in
            NotificationEndpoint(core: core).send
        },
        .post("/emulator/notifications/address", .control, "sets where an app's notifications go") { core, _ in
            NotificationEndpoint(core: core).register
        },
        .post("/emulator/notifications/hold", .control, "holds notifications back") { core, _ in
            NotificationEndpoint(core: core).hold
        },
        .post("/emulator/notifications/release", .control, "releases one notification or all") { core, _ in
            NotificationEndpoint(core: core).release
        },
        .post("/emulator/notifications/{id}/replay", .control, "sends a notification once more") { core, _ in
            NotificationEndpoint(core: core).replay
        },
    ]

    private static let mail: [EmulatorRoute] = [
        .get("/mail", .page, "whose inbox?") { core, pages in InboxEndpoint(core: core, pages: pages).people },
        .get("/mail/inbox", .page, "a person's mail") { core, pages in
            InboxEndpoint(core: core, pages: pages).inbox
        },
        .get("/mail/others", .page, "mail to addresses that nobody here has") { core, pages in
            InboxEndpoint(core: core, pages: pages).others
        },
        .get("/mail/read", .page, "one mail") { core, pages in InboxEndpoint(core: core, pages: pages).read },
        .get("/mail/html", .page, "the HTML of a mail, for a frame") { core, pages in
            InboxEndpoint(core: core, pages: pages).html
        },
        .post("/mail/delete", .page, "deletes a person's mail") { core, pages in
            InboxEndpoint(core: core, pages: pages).delete
        },
        .post("/mail/others/delete", .page, "deletes that mail") { core, pages in
            InboxEndpoint(core: core, pages: pages).deleteOthers
        },
        .get("/emulator/mail", .control, "all mail, or a person's") { core, _ in MailEndpoint(core: core).list },
        .post("/emulator/mail", .control, "sends a mail without SMTP") { core, _ in MailEndpoint(core: core).send },
        .post("/emulator/mail/delete", .control, "deletes a mail, or a person's mail") { core, _ in
            MailEndpoint(core: core).delete
        },
        .get("/emulator/mail/{id}", .control, "one mail") { core, _ in MailEndpoint(core: core).show },
        .get("/emulator/mail/{id}/source", .control, "one mail, byte for byte") { core, _ in
            MailEndpoint(core: core).source
        },
        .get("/emulator/email-sources", .control, "what teams may send mail from") { core, _ in
            EmailSourceEndpoint(core: core).list
        },
        .post("/emulator/email-sources", .control, "registers an email source") { core, _ in
            EmailSourceEndpoint(core: core).register
        },
        .post("/emulator/email-sources/remove", .control, "removes an email source") { core, _ in
            EmailSourceEndpoint(core: core).remove
        },
        .post("/emulator/email-sources/verify", .control, "verifies an email source") { core, _ in
            EmailSourceEndpoint(core: core).verify
        },
    ]

    private static let faults: [EmulatorRoute] = [
        .get("/emulator/faults", .control, "the faults that are ordered") { core, _ in
            FaultEndpoint(core: core).list
        },
        .post("/emulator/faults", .control, "orders a fault") { core, _ in FaultEndpoint(core: core).add },
        .post("/emulator/faults/clear", .control, "clears one fault or all") { core, _ in
            FaultEndpoint(core: core).clear
        },
        .get("/emulator/requests", .control, "the last requests to Apple's addresses") { core, pages in
            RequestLogEndpoint(core: core, pages: pages).list
        },
        .post("/emulator/requests/clear", .control, "clears the list of requests") { core, pages in
            RequestLogEndpoint(core: core, pages: pages).clear
        },
        .get("/emulator/requests/page", .control, "the list of requests as a page") { core, pages in
            RequestLogEndpoint(core: core, pages: pages).page
        },
    ]
}
