import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Shows the caller's own account, to programs and to people.
struct AccountController: Sendable {
    let pages: PageRenderer

    @Sendable func show(_ request: Request, _ context: SessionContext) async throws -> Response {
        Response(json: AccountAnswer(account: AccountBody(context.session.account)))
    }

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.account(context.session.account))
    }
}

extension PageRenderer {
    /// The page of a person's own account.
    func account(_ account: Account) -> String {
        struct Page {
            let frame: PageFrame
            let heading: String
            let initial: String?
            let email: EmailText?
            let isForwarded: Bool
            let isNotForwarded: Bool
            let isUnverifiedEmail: Bool
            let contact: EmailText?
            let pendingContact: EmailText?
            let phone: String?
            let since: CalendarDay
            /// Whether the person can prove who they are, which an export and a deletion require.
            let hasWebSignIn: Bool
        }
        let isHidden = account.email != nil && account.isPrivateEmail
        let isForwarded = account.appleAccess.forwardsEmail != false
        return render(
            "account",
            Page(
                frame: frame(title: "Your account"), heading: account.name?.formatted ?? "Your account",
                initial: account.name?.formatted.first.map { $0.uppercased() },
                email: account.email.map { EmailText($0) },
                isForwarded: isHidden && isForwarded, isNotForwarded: isHidden && !isForwarded,
                isUnverifiedEmail: account.email != nil && !account.emailVerified,
                contact: account.contactEmail.map { EmailText($0) },
                pendingContact: account.pendingContactEmail.map { EmailText($0) }, phone: account.phone,
                since: CalendarDay(of: account.createdAt), hasWebSignIn: hasWebSignIn))
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
