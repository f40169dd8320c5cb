import AccountService
import AppleID
import HTTPTypes
import Hummingbird

/// The domain's passwords, as the controllers use them, with the way in which a person proves who they are.
///
/// The routes of passwords are there only if the service takes passwords. Other pages ask for the way in all the same. It is a
/// class, since many controllers hold it with the domain in it.
final class PasswordFeature: Sendable {
    private let optional: Passwords?
    private let domain: AccountDomain
    /// Whether browsers can sign in with Apple here.
    let hasApple: Bool

    init(_ domain: AccountDomain) {
        optional = domain.passwords
        self.domain = domain
        hasApple = domain.configuration.webClient != nil
    }

    /// - Throws: ``AccountError/Code/passwordsOff`` if the service takes no passwords.
    var passwords: Passwords {
        get throws(AccountError) {
            guard let optional else { throw AccountError(.passwordsOff, "this service takes no passwords") }
            return optional
        }
    }

    /// Whether the service takes passwords.
    var isOn: Bool { optional != nil }

    /// Whether people can sign in other than with Apple.
    var hasSeveralWays: Bool { isOn || !domain.providers.configurations.isEmpty }

    /// The ways in which the person of an account signs in. Somebody who signs in with an email address is stored as such
    /// also where the service takes no passwords any more.
    func ways(of account: AccountID) async throws -> WaysIn {
        try await domain.waysIn(of: account)
    }

    /// The way in that opened a session, without the others of the account. It proves again who the session's person is.
    func wayIn(of session: Session) async throws -> WaysIn {
        try await domain.waysIn(thatOpened: session)
    }

    /// The way in which the person of a browser's session proves again who they are.
    func way(of session: StoredSession) async throws -> WayToProve {
        let way = try await wayIn(of: session.session)
        guard let address = way.emailIdentity else {
            if let provider = way.providers.first { return .provider(provider) }
            return hasApple ? .apple : .none
        }
        guard isOn else { return .turnedOff }
        return way.acceptsPassword ? .password(address: address) : .link(address: address)
    }

    func isFresh(_ session: StoredSession) -> Bool {
        session.session.hasRecentSignIn(at: Timestamp(domain.environment.now()))
    }

    /// Proves by a password who the person of a browser's session is, and then does what needs the proof. A new session
    /// takes the place of the browser's.
    /// - Parameters:
    ///   - path: The page to show if the operation wants a later proof. The browser has its new session by then, so the
    ///     person can repeat it. Any other error is thrown, with the session's cookie.
    ///   - operation: Gets the new session. Its response may set the cookie of the session itself.
    func renewing(
        _ session: StoredSession, password: String, of request: Request, from caller: Caller, orBackTo path: String,
        _ operation: (StoredSession) async throws -> Response
    ) async throws -> Response {
        let done = try await passwords.reauthenticate(
            session, password: Password(password), browser: request.browserSecret, returnPath: .account, from: caller)
        let cookie = CookieName.session.setting(done.sessionCookie, lifetime: done.cookieLifetime)
        do {
            var response = try await operation(try await domain.sessions.authenticate(cookie: done.sessionCookie))
            let isSet = response.headers[values: .setCookie].contains {
                $0.hasPrefix(CookieName.session.rawValue + "=")
            }
            if !isSet { response.headers.append(HTTPField(name: .setCookie, value: cookie)) }
            return response
        } catch let error as AccountError where error.code == .requiresRecentLogin {
            return Response(seeOther: path, cookie: cookie)
        } catch {
            throw HTTPFailure(of: error).adding(HTTPField(name: .setCookie, value: cookie))
        }
    }

    // MARK: The browser

    /// The secret that names the browser of a request: the one that it has, or else a new one.
    func browser(of request: Request) throws -> BrowserSecret {
        try request.browserSecret ?? passwords.newBrowser()
    }
}

/// A way in which the person of a session proves again who they are.
enum WayToProve: Hashable, Sendable {
    case apple
    /// The provider with this id.
    case provider(String)
    /// The password of the account whose person signs in with this address.
    case password(address: String)
    /// A link to this address. The account has no password, or the password is off.
    case link(address: String)
    /// Not in a browser: the person signs in with Apple, and the website has no Services ID.
    case none
    /// In no way: the person signs in with an email address, and the service takes no passwords any more.
    case turnedOff

    /// The id of the provider other than Apple that proves it.
    var provider: String? {
        if case .provider(let id) = self { id } else { nil }
    }
}

extension WaysIn {
    /// Whether the person can sign in with their address and a password.
    var acceptsPassword: Bool { emailIdentity != nil && hasPassword && !isOff }
}
