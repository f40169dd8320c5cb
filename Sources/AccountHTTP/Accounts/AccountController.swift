import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Shows the caller's own account, to programs and to people.
struct AccountController: Sendable {
    /// The page of the account as a browser sees it that has just come back from an upgrade.
    static let upgradedPath = "/account?" + upgradedField
    private static let upgradedField = "upgraded"

    let pages: PageRenderer
    let feature: PasswordFeature
    let ways: WaysInLookup
    let responses: AccountResponses

    @Sendable func show(_ request: Request, _ context: SessionContext) async throws -> Response {
        Response(json: AccountAnswer(account: try await responses.body(of: context.session.account)))
    }

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let account = context.session.account
        let isUpgraded = try FormFields(queryOf: request, for: Self.upgradedField)[Self.upgradedField] != nil
        return Response(
            page: pages.account(
                account, ways: ways.hasSeveral ? try await ways.waysIn(of: account.id) : nil,
                way: try await ways.waysIn(thatOpened: context.session.session), takesPasswords: feature.isOn,
                notice: isUpgraded ? "You sign in with Apple from now on." : nil))
    }
}

extension WaysInBody {
    init(_ ways: WaysIn) {
        self.init(
            apple: ways.apple, email: ways.emailIdentity, hasPassword: ways.acceptsPassword, providers: ways.providers)
    }
}

extension PageRenderer {
    /// The page of a person's own account.
    /// - Parameters:
    ///   - ways: The ways in which the person signs in, to be listed. Nil if everybody signs in with Apple.
    ///   - way: The one with which they have signed in.
    ///   - takesPasswords: Whether the service takes passwords.
    ///   - notice: Words about what the person has just done.
    func account(
        _ account: Account, ways: WaysIn? = nil, way: WaysIn? = nil, takesPasswords: Bool = false,
        notice: String? = nil
    ) -> String {
        struct Password {
            let title: String
            let isUpgradable: Bool
        }
        struct Page {
            let frame: PageFrame
            let notice: String?
            let heading: String
            /// The way in which the person signs in, after "with".
            let way: String
            let initial: String?
            let email: EmailText?
            let isForwarded: Bool
            let isNotForwarded: Bool
            let isUnverifiedEmail: Bool
            let contact: EmailText?
            let pendingContact: EmailText?
            let phone: String?
            /// Nil where everybody signs in with Apple.
            let ways: String?
            let password: Password?
            let since: CalendarDay
            /// Whether the person can prove who they are, which an export and a deletion require.
            let hasBrowserSignIn: Bool
        }
        let isHidden = account.email != nil && account.isPrivateEmail
        let isByEmail = way?.emailIdentity != nil
        let hasPassword = way?.acceptsPassword ?? false
        let isForwarded = account.appleAccess.forwardsEmail != false
        return render(
            "account",
            Page(
                frame: frame(title: "Your account"), notice: notice, heading: account.name?.formatted ?? "Your account",
                way: Self.words(ofWay: way, provider: (way?.providers.first).map(name(ofProvider:))),
                initial: account.name?.formatted.first.map { $0.uppercased() },
                email: account.email.map { EmailText($0) },
                isForwarded: isHidden && isForwarded, isNotForwarded: isHidden && !isForwarded,
                isUnverifiedEmail: account.email != nil && !account.emailVerified,
                contact: account.contactEmail.map { EmailText($0) },
                pendingContact: account.pendingContactEmail.map { EmailText($0) }, phone: account.phone,
                ways: ways.map { Self.words($0, providers: $0.providers.map(name(ofProvider:))) },
                password: isByEmail && takesPasswords
                    ? Password(
                        title: hasPassword ? "Change your password" : "Set a password", isUpgradable: hasWebSignIn)
                    : nil,
                since: CalendarDay(of: account.createdAt), hasBrowserSignIn: hasBrowserSignIn))
    }
}

extension PageRenderer {
    /// The ways in which a person signs in, in words.
    private static func words(_ ways: WaysIn, providers: [String]) -> String {
        var words: [String] = []
        if ways.apple || ways.emailIdentity == nil && providers.isEmpty { words.append("Sign in with Apple") }
        words += providers.map { "Sign in with \($0)" }
        if ways.emailIdentity != nil {
            words.append(ways.acceptsPassword ? "Your email address and a password" : "A link to your email address")
        }
        return words.joined(separator: ", or: ")
    }
}

extension PageRenderer {
    /// The way in that opened a session, in words after "with".
    private static func words(ofWay way: WaysIn?, provider: String?) -> String {
        guard way?.emailIdentity == nil else {
            return way?.acceptsPassword == true ? "your email address" : "a link by mail"
        }
        return provider ?? "Apple"
    }
}

/// An address in two parts, between which a line may break: a relay address is wider than a phone.
struct EmailText {
    let user: String
    /// The part from the `@` on. Empty if there is no `@`.
    let domain: String

    init(_ address: String) {
        let mark = address.lastIndex(of: "@") ?? address.endIndex
        user = String(address[..<mark])
        domain = String(address[mark...])
    }
}
