import AccountService
import AppleID
import HTTPTypes
import Hummingbird

/// Fresh proofs of who the person of a browser's session is: which one they can give, and whether they have given it.
struct FreshProofs: Sendable {
    private let domain: AccountDomain
    private let feature: PasswordFeature

    init(_ domain: AccountDomain, passwords feature: PasswordFeature) {
        self.domain = domain
        self.feature = feature
    }

    /// The way in which the person of a browser's session proves again who they are: the way in that opened the session.
    func wayToProve(of session: StoredSession) async throws -> WayToProve {
        let way = try await domain.waysIn(thatOpened: session.session)
        guard let address = way.emailIdentity else {
            if let provider = way.providers.first { return .provider(provider) }
            return domain.configuration.webClient != nil ? .apple : .none
        }
        guard feature.isOn else { return .turnedOff }
        return way.acceptsPassword ? .password(address: address) : .link(address: address)
    }

    /// Whether the person has proven in the last five minutes who they are.
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
        let done = try await feature.passwords.reauthenticate(
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
    /// No way in a browser: the person signs in with Apple, and the website has no Services ID.
    case none
    /// No way: the person signs in with an email address, and the service takes no passwords any more.
    case turnedOff

    /// The id of the provider other than Apple that proves it.
    var provider: String? {
        if case .provider(let id) = self { id } else { nil }
    }
}
