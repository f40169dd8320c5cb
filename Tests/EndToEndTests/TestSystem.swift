import AccountDatabase
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import Logging
import Testing

/// Both ends in one process: a service on a real store, and an emulator that answers for Apple.
final class TestSystem: Sendable {
    static let emulatorURL = "http://127.0.0.1:4010"
    static let publicURL = "http://localhost:4000"
    static let juice: ClientID = "com.example.juice"
    static let juiceWeb: ClientID = "com.example.juice.web"

    static let ring = KeyRing.newText(id: "test", randomness: Array(repeating: 5, count: 32))
    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let clock: TestClock
    let emulator: Emulator
    let apple: EmulatorTransport
    let store: AccountTransactions
    let domain: AccountDomain

    /// - Parameters:
    ///   - engine: what keeps the accounts, where no store is given.
    ///   - portal: nil for the seeded one.
    ///   - store: nil for a new one.
    ///   - ring: the text of a key ring.
    ///   - hooks: who hears of changes.
    ///   - post: takes the notifications that the emulator sends when it is told to; nil for nobody.
    ///   - mail: delivers the service's mails; nil where it sends none.
    ///   - logger: the service's.
    ///   - configure: changes what is configured.
    init(
        _ engine: Engine = .sqlite, portal: Portal? = nil, store: (AccountTransactions)? = nil,
        sharing other: TestSystem? = nil,
        ring: String = TestSystem.ring, clock: TestClock = TestClock(), hooks: [any AccountHook] = [],
        post: NotificationPost? = nil, mail: (any MailSender)? = nil, logger: Logger = TestSystem.silence,
        configure: (inout AccountConfiguration) -> Void = { _ in }
    ) async throws {
        self.clock = other?.clock ?? clock
        if let other {
            emulator = other.emulator
        } else {
            emulator = try await Emulator.forTests(
                clock: self.clock, configuration: EmulatorConfiguration(baseURL: Self.emulatorURL), portal: portal,
                deliver: post?.way)
        }
        apple = EmulatorTransport(to: emulator)
        if let store {
            self.store = store
        } else {
            self.store = try await engine.store()
        }
        domain = try await Self.open(
            emulator, apple, self.store, self.clock, ring: ring, hooks: hooks, mail: mail, logger: logger,
            configure: configure)
    }

    /// A service on a store and an emulator that are there already.
    init(emulator: Emulator, store: AccountTransactions, clock: TestClock) async throws {
        self.clock = clock
        self.emulator = emulator
        self.store = store
        apple = EmulatorTransport(to: emulator)
        domain = try await Self.open(emulator, apple, store, clock)
    }

    /// A service on the same store with another transport to Apple.
    func domain(over transport: any AppleTransport) async throws -> AccountDomain {
        try await Self.open(emulator, transport, store, clock)
    }

    private static func open(
        _ emulator: Emulator, _ transport: any AppleTransport, _ store: AccountTransactions, _ clock: TestClock,
        ring: String = TestSystem.ring, hooks: [any AccountHook] = [], mail: (any MailSender)? = nil,
        logger: Logger = TestSystem.silence, configure: (inout AccountConfiguration) -> Void = { _ in }
    ) async throws -> AccountDomain {
        let clients = try emulator.portal.teams.flatMap { try emulator.clients(of: $0.id) }
        let web = clients.first { $0.kind == .service }?.id
        var configuration = AccountConfiguration(
            publicURL: try PublicURL(publicURL), keyRing: try KeyRing(parsing: ring), webClient: web,
            nativeClients: Set(clients.filter { $0.kind == .app }.map(\.id)), apps: try apps(web: web))
        configure(&configuration)
        return try await AccountDomain(
            configuration: configuration,
            apple: AppleIDClient(
                server: try .emulator(at: emulatorURL), clients: clients, transport: transport,
                keySetArchive: KeySetArchive(store: store), environment: clock.appleIDEnvironment,
                logger: Self.silence),
            store: store, hooks: hooks, mail: mail.map { MailSettings(sender: $0, serviceName: "Juice") },
            environment: clock.appleIDEnvironment, logger: logger)
    }

    // MARK: From an app

    /// Signs somebody in on a device, for the body of `POST /v1/sign-in/apple`.
    /// - Parameter nonce: the raw one; Apple gets its hash.
    func device(
        person: String = "johnny", client: ClientID = juice, nonce: String = .nonce(), name: String? = "Johnny",
        hidesEmail: Bool = false
    ) async throws -> NativeSignIn {
        let answer = try await emulator.authorize(
            person: person, client: client, nonce: nonce.sha256, hidesEmail: hidesEmail, native: true)
        return NativeSignIn(
            identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce,
            name: PersonName(givenName: name))
    }

    // MARK: In a browser

    /// Goes to Apple and back, like a browser that keeps its cookies.
    func browse(person: String = "johnny", cancels: Bool = false, firstName: String? = nil) async throws -> WebSignIn {
        let (form, browser) = try await comeBack(person: person, cancels: cancels, firstName: firstName)
        return try await finish(form, browser: browser)
    }

    /// Ends a sign-in of the browser's own with what Apple's form brings.
    func finish(_ form: [(name: String, value: String)], browser: BrowserSecret?) async throws -> WebSignIn {
        let ending = try await domain.callback.finish(try AuthorizationResponse(form: form), browser: browser)
        guard case .signIn(let done) = ending else {
            throw AccountError(.attemptUnknown, "it was the authorization of an app")
        }
        return done
    }

    /// Begins a sign-in and decides at Apple: what Apple's form brings, and the browser's cookie.
    func comeBack(
        person: String = "johnny", cancels: Bool = false, firstName: String? = nil, browser: BrowserSecret? = nil
    ) async throws -> (form: [(name: String, value: String)], browser: BrowserSecret) {
        let beginning = try await domain.signIn.begin(browser: browser)
        let form = try await decide(at: beginning.location, person: person, cancels: cancels, firstName: firstName)
        return (form, beginning.browser)
    }

    /// Decides at Apple: what its form brings.
    func decide(
        at location: String, person: String = "johnny", cancels: Bool = false, firstName: String? = nil
    ) async throws -> [(name: String, value: String)] {
        var request = try TestAuthorizationRequest(location: location)
        request.person = person
        request.name = firstName.map { ($0, "Appleseed") }
        request.cancels = cancels
        return try await emulator.authorize(request).fields
    }
}

extension TestAuthorizationRequest {
    /// Makes the request that a browser takes to Apple.
    init(location: String) throws {
        let query = try #require(URLComponents(string: location)?.queryItems)
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        self.init(client: ClientID(try #require(value("client_id"))))
        redirectURI = value("redirect_uri")
        scopes = (value("scope") ?? "").split(separator: " ").map { Scope(String($0)) }
        state = value("state")
        nonce = value("nonce")
        responseType = value("response_type").map { ResponseType($0) }
        responseMode = value("response_mode").map { ResponseMode($0) }
    }
}

extension SignIn {
    /// From an address that is none of the test's business.
    func native(_ request: NativeSignIn) async throws -> TokenSignIn {
        try await native(request, from: Caller(address: "192.0.2.1"))
    }
}

extension String {
    /// A new nonce, as an app would make one.
    static func nonce() -> String {
        (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    }

    var sha256: String {
        SHA256.hash(data: Data(utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Portal {
    /// Two teams. The first has two App IDs and a Services ID, the second one App ID; the same people everywhere.
    static var twoTeams: Portal {
        let key = { (id: KeyID) in Key.generated(id: id) }
        let web = Service(
            id: TestSystem.juiceWeb, domains: ["localhost"], returnURLs: [TestSystem.publicURL + SignIn.callbackPath])
        return Portal(
            baseURL: TestSystem.emulatorURL, issuer: "https://appleid.apple.com",
            teams: [
                Team(
                    id: "JUICETEAM1", name: "Juice Makers",
                    apps: [
                        App(id: TestSystem.juice, name: "Juice", services: [web], keys: [key("JUICEKEY01")]),
                        App(id: "com.example.cider", name: "Cider", keys: [key("CIDERKEY01")]),
                    ]),
                Team(
                    id: "OTHERTEAM1", name: "Others",
                    apps: [App(id: "com.other.app", name: "Other", keys: [key("OTHERKEY01")])]),
            ],
            people: [Person(id: "johnny", email: "johnny@example.com", name: "Johnny Appleseed")])
    }
}
