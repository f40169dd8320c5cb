import AccountService
import AppleID
import AppleIDTypes
import Crypto
import Foundation
import Testing

/// An app without Apple's framework, as it sees one authorization.
struct Asking: Sendable {
    let id: AuthorizationID
    let verifier: String
}

/// An authorization of an app that no browser can return to.
struct WaitingDevice: Sendable {
    let deviceCode: String
    let userCode: String
    let verifier: String
}

extension TestSystem {
    static let loopback = "http://127.0.0.1:49152/back"
    static let targets = [
        "https://juice.example.com/back?from=siwa", "com.example.juice:/back",
        "intent://back#Intent;scheme=juice;package=com.example.juice;end",
    ]

    static func apps(web: ClientID?) throws -> [App] {
        guard let web else { return [] }
        let targets = try Self.targets.map { try ReturnTarget($0) }
        return [
            App(
                id: "juice", name: "Juice", bundleIDs: [juice], servicesID: web,
                returnTargets: [.loopback] + targets),
            App(id: "press", name: "Press", servicesID: web, returnTargets: [.loopback], handThrough: true),
        ]
    }

    // MARK: The app

    func ask(
        _ app: AppID = "juice", redirectURI: String = loopback, scope: String = "name email", nonce: String? = nil,
        state: String? = nil, from address: String = "192.0.2.1"
    ) async throws -> Asking {
        let verifier = String.verifier()
        let beginning = try await domain.authorizations.begin(
            BeginAuthorization(
                app: app, redirectURI: redirectURI, codeChallenge: verifier.s256, scope: scope, nonce: nonce,
                state: state), from: address)
        guard case .redirect(let id, let url, _) = beginning else { throw Unexpected(what: beginning) }
        #expect(url == Self.publicURL + "/authorizations/\(id)")
        return Asking(id: id, verifier: verifier)
    }

    func wait(
        _ app: AppID = "juice", nonce: String? = nil, from address: String = "192.0.2.1"
    ) async throws -> WaitingDevice {
        let verifier = String.verifier()
        let beginning = try await domain.authorizations.begin(
            BeginAuthorization(
                app: app, redirectURI: nil, codeChallenge: verifier.s256, scope: "name email", nonce: nonce,
                state: nil), from: address)
        guard case .device(let deviceCode, let userCode, let url, let interval, _) = beginning else {
            throw Unexpected(what: beginning)
        }
        #expect(url == Self.publicURL + "/device" && interval == .seconds(5))
        return WaitingDevice(deviceCode: deviceCode, userCode: userCode, verifier: verifier)
    }

    func redeem(_ handle: String, _ verifier: String) async throws -> AuthorizationCredential {
        try await domain.authorizations.redeem(Redemption(.handle(handle), codeVerifier: verifier))
    }

    func poll(_ device: WaitingDevice, verifier: String? = nil) async throws -> AuthorizationCredential {
        try await domain.authorizations.redeem(
            Redemption(.deviceCode(device.deviceCode), codeVerifier: verifier ?? device.verifier))
    }

    // MARK: The browser

    /// Goes from our page to Apple and back to our callback.
    /// - Returns: the browser's cookie.
    func visit(
        _ asking: Asking, person: String = "johnny", cancels: Bool = false, firstName: String? = nil
    ) async throws -> BrowserSecret {
        let beginning = try await domain.authorizations.proceed(asking.id, browser: nil)
        try await finish(asking.id, beginning, person: person, cancels: cancels, firstName: firstName)
        return beginning.browser
    }

    /// Allows a device, and goes to Apple and back.
    func allow(
        _ device: WaitingDevice, person: String = "johnny", cancels: Bool = false
    ) async throws -> BrowserSecret {
        let beginning = try await domain.authorizations.allow(
            userCode: device.userCode, from: "192.0.2.9", browser: nil)
        try await finish(nil, beginning, person: person, cancels: cancels, firstName: nil)
        return beginning.browser
    }

    func finish(
        _ id: AuthorizationID?, _ beginning: SignInBeginning, person: String = "johnny", cancels: Bool = false,
        firstName: String? = nil
    ) async throws {
        let form = try await decide(
            at: beginning.location, person: person, cancels: cancels, firstName: firstName)
        let ending = try await domain.callback.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        guard case .authorization(let ended) = ending else { throw Unexpected(what: ending) }
        #expect(id == nil || id == ended)
    }

    /// The parameters with which the browser returns to the app.
    func returnQuery(_ asking: Asking, _ browser: BrowserSecret?) async throws -> [String: String] {
        let location = try await domain.authorizations.returnLocation(asking.id, browser: browser)
        let items = try #require(URLComponents(string: location)?.queryItems)
        #expect(items.contains(URLQueryItem(name: "id", value: asking.id.rawValue)))
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    func handle(_ asking: Asking, _ browser: BrowserSecret?) async throws -> String {
        try #require(await returnQuery(asking, browser)["handle"])
    }

    /// The whole way to the credential.
    func credential(
        _ app: AppID = "juice", person: String = "johnny", nonce: String? = nil, firstName: String? = nil,
        state: String? = nil
    ) async throws -> AuthorizationCredential {
        let asking = try await ask(app, nonce: nonce?.sha256, state: state)
        let browser = try await visit(asking, person: person, firstName: firstName)
        return try await redeem(handle(asking, browser), asking.verifier)
    }

    // MARK: Guessing

    /// Types a code that no device has.
    func guess(besides device: WaitingDevice, from address: String) async throws {
        let wrong = device.userCode == "BBBB-BBBB" ? "CCCC-CCCC" : "BBBB-BBBB"
        _ = try await domain.authorizations.prompt(userCode: wrong, from: address)
    }

    // MARK: Sessions

    func session(of signIn: TokenSignIn) async throws -> Session {
        try await domain.sessions.authenticate(accessToken: signIn.tokens.accessToken).session
    }
}

/// Something of another kind than the test was after.
struct Unexpected: Error {
    let what: any Sendable
}

extension String {
    /// A new code verifier, with every kind of character that may be in one.
    static func verifier() -> String { nonce() + "-._~ABCxyz0" }

    /// The S256 challenge of RFC 7636.
    var s256: String {
        Data(SHA256.hash(data: Data(utf8))).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

/// Expects an error of ours with this code.
@discardableResult
func expectRefusal<Value>(
    _ code: AccountError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Value
) async -> AccountError? {
    await #expect(throws: AccountError(code, ""), sourceLocation: sourceLocation) { _ = try await work() }
}
