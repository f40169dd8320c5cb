import AccountAPI
import AccountHTTP
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import OpenIDConnect
import Testing

/// The service in process: its real domain, a store on the test's engine, the emulator for Apple, and a clock that
/// stands still.
final class TestService: Sendable {
    static let publicURL = "http://localhost:4000"
    static let emulatorURL = "http://127.0.0.1:4010"
    static let app: ClientID = "com.example.juice"
    static let web: ClientID = "com.example.juice.web"

    /// Returns to this machine, to a page of its own, and through a scheme.
    static let juice = App(
        id: "juice", name: "Juice & Co", bundleIDs: [app], servicesID: web,
        returnTargets: [.loopback]
            + ["https://juice.example.com/signed-in?from=siwa", "com.example.juice:/signed-in"]
            .compactMap { try? ReturnTarget($0) })

    let clock: TestClock
    let apple: TestApple
    let store: AccountTransactions
    let closeStore: @Sendable () async throws -> Void
    let domain: AccountDomain
    /// The mails that the service has sent. It is empty for a service that sends none.
    let mailbox = TestMailbox()
    /// The OpenID Providers with which people can sign in.
    let providers: [TestOpenIDProvider]
    /// Opens the domain on the same store with another configuration, as a server with other settings does.
    let reopen: @Sendable (AccountConfiguration) async throws -> AccountDomain
    /// Opens the domain on the same store without OpenID Providers.
    let reopenWithoutProviders: @Sendable () async throws -> AccountDomain

    /// - Parameters:
    ///   - sendsMail: Whether the service has a mail server.
    ///   - passwords: How the service takes passwords; nil for none.
    ///   - ids: The ids of OpenID Providers.
    ///   - timeLimit: For each request to one of them.
    init(
        publicURL: String, webClient: ClientID?, apps: [App] = [juice], sendsMail: Bool = false,
        passwords: PasswordSettings? = nil, providers ids: [String] = [],
        providerTimeLimit timeLimit: Duration = .seconds(10),
        instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) async throws {
        clock = TestClock()
        providers = ids.map { [clock] id in
            // A provider called `query` lets the browser come back by a GET, the others by a form.
            TestOpenIDProvider(id, responseModes: [id == "query" ? "query" : "form_post"], now: { clock.now })
        }
        let otherClients = try providers.map { try $0.makeClient(timeLimit: timeLimit) }
        apple = try await TestApple(clock: clock, publicURL: publicURL)
        (store, closeStore) = try await Engine.current.open()
        let environment = AppleIDEnvironment(
            now: { [clock] in clock.now }, randomBytes: AppleIDEnvironment.live.randomBytes)
        let portal = apple.emulator.portal
        let team = try #require(portal.teams.first)
        let portalKey = try #require(team.apps.first?.keys.first)
        let key = try AppleClientKey(id: portalKey.id, team: team.id, pem: portalKey.privateKey)
        let client = AppleIDClient(
            server: try .emulator(at: Self.emulatorURL),
            clients: [
                ClientRegistration(id: Self.app, kind: .app, key: key),
                ClientRegistration(id: Self.web, kind: .service, key: key),
            ],
            transport: apple, environment: environment, instrumentation: instrumentation, logger: logger)
        var configuration = AccountConfiguration(
            publicURL: try PublicURL(publicURL),
            keyRing: try KeyRing(parsing: KeyRing.newText(id: "test", randomness: Array(repeating: 7, count: 32))),
            webClient: webClient, nativeClients: [Self.app], apps: apps)
        configuration.passwords = passwords
        let open: @Sendable (AccountConfiguration, [ProviderClient]) async throws -> AccountDomain
        open = { [store, mailbox] configuration, providers in
            try await AccountDomain(
                configuration: configuration, apple: client, providers: providers, store: store,
                mail: sendsMail ? MailSettings(sender: mailbox, serviceName: "Juice") : nil, environment: environment,
                logger: logger)
        }
        reopen = { try await open($0, otherClients) }
        reopenWithoutProviders = { [configuration] in try await open(configuration, []) }
        domain = try await reopen(configuration)
    }

    // MARK: In an app

    /// Returns the credential that a device of Johnny's gives an app.
    /// - Parameter nonce: The raw one.
    /// - Parameter isHashed: Whether Apple gets its hash.
    func nativeCredential(
        nonce: String = UUID().uuidString, isHashed: Bool = true, fullName: FullName? = nil,
        person: String = "johnny", hideEmail: Bool = false
    ) async throws -> NativeSignInRequest {
        let fields = try await apple.authorize([
            "person": person, "clientID": Self.app.rawValue, "native": true, "scope": "name email",
            "nonce": isHashed ? hash(nonce) : nonce, "hideEmail": hideEmail,
        ])
        return NativeSignInRequest(
            identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce,
            fullName: fullName)
    }

    /// Returns the credential that Apple gives a website, as an app would send it.
    func webCredential() async throws -> NativeSignInRequest {
        let nonce = UUID().uuidString
        let fields = try await apple.authorize([
            "person": "johnny", "clientID": Self.web.rawValue, "nonce": hash(nonce),
        ])
        return NativeSignInRequest(
            identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce)
    }

    func signInNatively(
        _ client: TestClient, person: String = "johnny", hideEmail: Bool = false
    ) async throws -> SignInAnswer {
        let credential = try await nativeCredential(person: person, hideEmail: hideEmail)
        let answer = try await client.post("/v1/sign-in/apple", json: credential)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode()
    }

    func hash(_ nonce: String) -> String {
        SHA256.hash(data: Data(nonce.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    // MARK: In a browser

    /// Begins a sign-in and lets Johnny decide at Apple.
    /// - Parameter sessionCookie: goes along when the sign-in begins, and not when Apple's site posts its end: it is
    ///   Lax.
    /// - Returns: The cookie that names the browser, and the form that Apple has it post.
    func answerOfApple(
        _ client: TestClient, begunAt path: String = "/sign-in/apple", decision: String = "continue",
        person: String = "johnny", hideEmail: Bool = false, firstName: String? = nil, sessionCookie: String? = nil
    ) async throws -> (cookie: String, form: String) {
        let beginning = try await client.page(path, cookies: sessionCookie.map { [$0] } ?? [])
        let location = try #require(beginning.headers[.location])
        let form = try await decide(
            at: location, decision, person: person, hideEmail: hideEmail, firstName: firstName)
        return (try #require(beginning.cookie("__Host-siwa-browser")), form)
    }

    /// Johnny at Apple.
    /// - Parameter location: What the browser was sent to Apple with.
    /// - Returns: The form that Apple has the browser post.
    func decide(
        at location: String, _ decision: String = "continue", person: String = "johnny", hideEmail: Bool = false,
        firstName: String? = nil
    ) async throws -> String {
        let query = Dictionary(
            try #require(URLComponents(string: location)?.queryItems).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first })
        var order: [String: any Sendable] = [
            "person": person, "clientID": query["client_id"], "redirectURI": query["redirect_uri"],
            "scope": query["scope"], "state": query["state"], "nonce": query["nonce"],
            "responseType": query["response_type"], "responseMode": query["response_mode"], "decision": decision,
            "hideEmail": hideEmail,
        ]
        if let firstName {
            order["name"] = ["firstName": firstName, "lastName": "Appleseed"]
        }
        let fields = try await apple.authorize(order)
        return fields.map { "\($0)=\($1.addingPercentEncoding())" }.joined(separator: "&")
    }

    func completeSignIn(
        _ client: TestClient, begunAt path: String = "/sign-in/apple", decision: String = "continue",
        person: String = "johnny", hideEmail: Bool = false, firstName: String? = nil, sessionCookie: String? = nil
    ) async throws -> TestResponse {
        let (cookie, form) = try await answerOfApple(
            client, begunAt: path, decision: decision, person: person, hideEmail: hideEmail, firstName: firstName,
            sessionCookie: sessionCookie)
        return try await client.post(
            "/sign-in/apple/callback", form: form, cookies: [cookie], site: "cross-site", origin: Self.emulatorURL)
    }

    /// - Returns: The cookie of the new session.
    func signInWithBrowser(
        _ client: TestClient, person: String = "johnny", hideEmail: Bool = false, firstName: String? = nil,
        sessionCookie: String? = nil
    ) async throws -> String {
        let answer = try await completeSignIn(
            client, person: person, hideEmail: hideEmail, firstName: firstName, sessionCookie: sessionCookie)
        return try #require(answer.cookie("__Host-siwa-session"), "\(answer.text)")
    }
}

/// Runs a test against the service's application.
/// - Parameter setup: `.router` within the process, `.live` over a connection.
func withService(
    _ configuration: AccountHTTPConfiguration = .juice(), publicURL: String = TestService.publicURL,
    webClient: ClientID? = TestService.web, apps: [App] = [TestService.juice], sendsMail: Bool = false,
    passwords: PasswordSettings? = nil, providers: [String] = [], providerTimeLimit: Duration = .seconds(10),
    over setup: TestingSetup = .router,
    instrumentation: AppleIDInstrumentation = .system,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ test: @Sendable (TestClient, TestService) async throws -> Void
) async throws {
    let service = try await TestService(
        publicURL: publicURL, webClient: webClient, apps: apps, sendsMail: sendsMail, passwords: passwords,
        providers: providers, providerTimeLimit: providerTimeLimit, instrumentation: instrumentation, logger: logger)
    let application = try buildApplication(
        domain: service.domain, configuration: configuration, port: 0, logger: logger)
    try await application.test(setup) { client in
        try await test(TestClient(base: client), service)
    }
}

extension AccountHTTPConfiguration {
    static func juice(emulatorURL: String? = TestService.emulatorURL, limits: HTTPLimits = HTTPLimits()) -> Self {
        Self(appName: "Juice", emulatorURL: emulatorURL, limits: limits)
    }
}
