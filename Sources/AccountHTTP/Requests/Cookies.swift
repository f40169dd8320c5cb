import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// The two cookies. `__Host-` makes browsers refuse them unless they are Secure, have Path=/ and no Domain, so that
/// neither another host of the domain nor a page without TLS can plant one.
enum CookieName: String {
    /// Names the browser that began a sign-in. SameSite=None, because Apple's answer is a POST from Apple's site.
    case browser = "__Host-siwa-browser"
    /// Holds the session of a signed-in browser.
    case session = "__Host-siwa-session"

    private var sameSite: String {
        switch self {
        case .browser: "None"
        case .session: "Lax"
        }
    }

    /// The value in a request. Nil if the cookie is absent, or comes twice: nothing tells which of the two is ours, and it is
    /// better to be signed out than to be somebody else.
    func value(in request: Request) -> String? {
        var found: Substring?
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                guard pair.hasPrefix(rawValue + "=") else { continue }
                guard found == nil else { return nil }
                found = pair.dropFirst(rawValue.count + 1)
            }
        }
        return found.map { String($0.reversed().drop { $0 == " " || $0 == "\t" }.reversed()) }
    }

    /// A `Set-Cookie` that keeps the value.
    /// - Parameter value: Base64url or the like: nothing that would need quoting.
    func setting(_ value: String, lifetime: Duration) -> String {
        field(value, seconds: lifetime.components.seconds)
    }

    /// A `Set-Cookie` that makes the browser forget the cookie.
    var clearing: String { field("", seconds: 0) }

    /// The cookie is always `Secure`, also on http://localhost. Browsers take it there, except Safari, and the pages say so.
    private func field(_ value: String, seconds: Int64) -> String {
        "\(rawValue)=\(value); Max-Age=\(seconds); Path=/; Secure; HttpOnly; SameSite=\(sameSite)"
    }
}

extension BrowserSecret {
    /// How long a browser keeps the cookie that names it.
    ///
    /// One cookie serves every tab, and each beginning sets it anew. So it has one lifetime, the longest that anything
    /// needs. That is a mailed link's: the link works for fifteen minutes, and two more are for the time until it is
    /// written. An attempt at Apple or another provider takes ten minutes at most. After its end the last page of an
    /// authorization works for two minutes, and the handle of a conflict for five.
    private static let cookieLifetime: Duration = EmailLink.lifetime + .seconds(120)

    /// The `Set-Cookie` that names the browser.
    var cookie: String { CookieName.browser.setting(rawValue, lifetime: Self.cookieLifetime) }
}

extension SignInBeginning {
    /// The `Set-Cookie` that names the browser.
    var cookie: String { browser.cookie }
}

extension Request {
    /// The secret that names the browser, from its cookie. Nil if the cookie is absent or malformed.
    var browserSecret: BrowserSecret? {
        CookieName.browser.value(in: self).flatMap { BrowserSecret(rawValue: $0) }
    }

    /// Does what only the browser that began a sign-in may do.
    /// - Throws: ``ErrorCode/browserCookieMissing`` instead of a mismatch if the browser sent no cookie: it may be the
    ///   right browser, and keep none.
    func withBrowserSecret<Result>(_ operation: (BrowserSecret?) async throws -> Result) async throws -> Result {
        do {
            return try await operation(browserSecret)
        } catch let error as AccountError
            where error.code == .browserMismatch && CookieName.browser.value(in: self) == nil
        {
            throw HTTPFailure(.browserCookieMissing, "The browser did not bring its cookie back.", cause: error)
        }
    }
}

extension Response {
    /// Sends a browser to Apple, with the cookie that it must bring back.
    init(to beginning: SignInBeginning) {
        self.init(seeOther: beginning.location, cookie: beginning.cookie)
    }

    /// Sends a browser on with its new session.
    init(to done: WebSignIn) {
        self.init(
            seeOther: done.returnPath.rawValue,
            cookie: CookieName.session.setting(done.sessionCookie, lifetime: done.cookieLifetime))
    }
}
