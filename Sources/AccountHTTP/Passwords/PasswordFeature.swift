import AccountService
import Hummingbird

/// The domain's passwords, as the controllers use them.
///
/// The routes of passwords are there only if the service takes passwords. Other pages ask for ``isOn`` all the same. It is a
/// class, since many controllers hold it with the domain's passwords in it.
final class PasswordFeature: Sendable {
    private let optional: Passwords?

    init(_ domain: AccountDomain) {
        optional = domain.passwords
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

    /// The secret that names the browser of a request: the one that it has, or else a new one.
    func browser(of request: Request) throws -> BrowserSecret {
        try request.browserSecret ?? passwords.newBrowser()
    }
}
