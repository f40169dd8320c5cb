import AccountSQLite
import AccountService
import AppleID
import AppleIDTransport
import AppleIDTypes
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

// The account service without HTTP: a program that has a protocol of its own calls the use cases.

struct NoNetwork: AppleTransport {
    struct Gone: Error {}

    func send(_ request: AppleRequest) async throws -> AppleResponse { throw Gone() }
}

@main
struct Program {
    static func main() async throws {
        let logger = Logger(label: "embedder")
        let apple = AppleIDClient(clients: [], transport: NoNetwork(), logger: logger)
        let domain = try await AccountDomain.open(
            configuration: AccountConfiguration(
                publicURL: try PublicURL("http://localhost:4000"), keyRing: try KeyRing(parsing: "a:"),
                webClient: nil, nativeClients: [],
                apps: [
                    App(
                        id: "juice", name: "Juice", bundleIDs: ["com.example.juice"], servicesID: "com.example.web",
                        returnTargets: [])
                ],
                sessionLimits: SessionLimits()),
            apple: apple, storage: .inMemory, hooks: [], logger: logger)
        let service = Accounts(domain: domain)
        // guide
        try await ServiceGroup(
            services: [domain, MyServer(domain: domain)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
        // end
        do {
            let tokens = try await service.signIn(
                token: "", code: nil, nonce: "", name: PersonName(givenName: "Johnny", familyName: nil))
            print(try await service.whoami(tokens))
        } catch let error as AccountError {
            print(error.code, error.reason, error.field ?? "", error.retryAfter ?? .zero)
        }
    }
}

/// Speaks a protocol of the program's own.
struct MyServer: Service {
    let domain: AccountDomain

    func run() async throws { try await gracefulShutdown() }
}

struct Accounts {
    let domain: AccountDomain
    let caller = Caller(address: "192.0.2.1", device: nil)

    // MARK: In an app

    func signIn(token: String, code: AuthorizationCode?, nonce: String, name: PersonName?) async throws -> SessionTokens
    {
        let request = NativeSignIn(identityToken: token, authorizationCode: code, nonce: nonce, name: name)
        let signedIn = try await domain.signIn.native(request, from: caller)
        print(signedIn.account.id, signedIn.isNewAccount, signedIn.account.email ?? "")
        return signedIn.tokens
    }

    func whoami(_ tokens: SessionTokens) async throws -> AccountID {
        let stored = try await domain.sessions.authenticate(accessToken: tokens.accessToken)
        return stored.account.id
    }

    func renew(_ tokens: SessionTokens) async throws -> SessionTokens {
        try await domain.sessions.refresh(tokens.refreshToken, from: caller)
    }

    func proveFreshly(_ session: StoredSession, token: String) async throws -> Timestamp {
        let challenge = try domain.challenges.make(for: .reauthenticate, session: session.session.id)
        let fresh = try await domain.reauthentications.reauthenticate(
            session, with: NativeSignIn(identityToken: token, nonce: challenge.nonce), from: caller)
        return fresh.authenticatedAt
    }

    func revoke(_ session: StoredSession, code: AuthorizationCode) async throws {
        let order = try await domain.revocations.revoke(
            RevocationRequest(authorizationCode: code), in: session, from: caller)
        print(order.count, order.needsManualRemoval)
    }

    func delete(_ session: StoredSession) async throws -> Deletion.State {
        let receipt = try await domain.deletions.delete(accountOf: session, from: caller)
        guard let handle = DeletionHandle(rawValue: receipt.handle.rawValue) else { return receipt.deletion.state }
        return try await domain.deletions.deletion(handle).state
    }

    func standing(_ session: StoredSession) async throws -> Bool {
        try await domain.credentialStates.state(of: nil, for: session) == .authorized
    }

    // MARK: Sessions

    func signOutElsewhere(_ session: StoredSession) async throws {
        let page = try await domain.sessions.list(of: session.account.id)
        for other in page.sessions where other.id != session.session.id {
            try await domain.sessions.end(other.id, as: session.session, from: caller)
        }
    }

    // MARK: In a browser

    func begin(cookie: BrowserSecret?) async throws -> String {
        try await domain.signIn.begin(returnPath: .account, browser: cookie).location
    }

    func finish(form: [(name: String, value: String)], cookie: BrowserSecret?) async throws -> String? {
        switch try await domain.callback.finish(
            try AuthorizationResponse(form: form), browser: cookie, from: caller)
        {
        case .signIn(let web): return web.sessionCookie
        // Nothing else was begun here.
        default: return nil
        }
    }

    // MARK: For an app where Apple's framework is not

    func authorize() async throws -> String {
        let request = BeginAuthorization(
            app: "juice", redirectURI: nil, codeChallenge: "", scope: "name email", nonce: nil, state: nil)
        switch try await domain.authorizations.begin(request, from: "192.0.2.1") {
        case .redirect(_, let url, _): return url
        case .device(_, let userCode, _, _, _): return userCode
        }
    }

    func redeem(handle: String, verifier: String) async throws -> Subject {
        try await domain.authorizations.redeem(Redemption(.handle(handle), codeVerifier: verifier)).user
    }

    // MARK: For Apple and the operator

    func notify(_ body: [UInt8]) async throws -> NotificationOutcome {
        try await domain.notifications.receive(body).outcome
    }

    func disable(address: String) async throws {
        for record in try await domain.directory.find(try AccountSearch(address)) {
            _ = try await domain.directory.disable(record.id)
        }
    }

    func export(_ account: AccountID) async throws -> [String] {
        let (export, _, activity) = try await domain.exports.export(account)
        return export.sessions.map(\.session.id.rawValue) + activity.map(\.event.rawValue)
    }
}
