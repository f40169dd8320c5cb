import AccountService
import AppleIDTypes

/// The sign-in form with address and password, as it was filled in.
struct PasswordEntry {
    var typed = ""
    var mistake: FormMistake?
}

/// The form of a sign-up, as it was filled in.
struct SignUpForm {
    var returnPath = ReturnPath.account
    var typed = ""
    var givenName = ""
    var familyName = ""
}

/// The kinds of link that a person can ask for.
enum RequestedLink {
    case signUp, signIn, reset
}

/// The sign-in form as templates show it.
struct PasswordEntryPart {
    let backPath: String?
    let typed: String
    let emailProblem: String?
    let passwordProblem: String?
    /// The query of the links below the form, which lead to the same page in the end.
    let query: String

    init(_ entry: PasswordEntry, returnPath: ReturnPath) {
        backPath = returnPath.unlessAccount
        typed = entry.typed.shownAgain
        emailProblem = entry.mistake?.email
        passwordProblem = entry.mistake?.password
        query = returnPath.asQuery
    }
}

/// The field for a new password, as templates show it.
struct NewPasswordField {
    let label: String
    let minimumLength: Int
    let maximumLength = PasswordRules.maximumLength
    let problem: String?
    /// Whether the part of the page around the field is open.
    let isOpen: Bool

    init(_ rules: PasswordRules, label: String, mistake: FormMistake? = nil) {
        self.label = label
        minimumLength = rules.minimumLength
        problem = mistake?.newPassword
        isOpen = problem != nil
    }
}

extension ReturnPath {
    /// Nil for the page of the account, which is shown anyway.
    var unlessAccount: String? { self == .account ? nil : rawValue }

    /// The query with this path as `return`. Empty for the page of the account.
    var asQuery: String { self == .account ? "" : added(to: "") }
}

extension PageRenderer {
    /// The page of a sign-up.
    func signUp(_ form: SignUpForm, rules: PasswordRules, mistake: FormMistake? = nil) -> String {
        struct Page {
            let frame: PageFrame
            let backPath: String?
            let query: String
            let typed: String
            let emailProblem: String?
            let givenName: String
            let familyName: String
            let newPassword: NewPasswordField
        }
        return render(
            "sign-up",
            Page(
                frame: frame(title: "Create an account"), backPath: form.returnPath.unlessAccount,
                query: form.returnPath.asQuery, typed: form.typed.shownAgain, emailProblem: mistake?.email,
                givenName: form.givenName.shownAgain, familyName: form.familyName.shownAgain,
                newPassword: NewPasswordField(rules, label: "Password", mistake: mistake)))
    }

    /// The page that asks for the address to which a link is sent.
    func emailRequest(
        _ link: RequestedLink, returnPath: ReturnPath = .account, typed: String = "", mistake: FormMistake? = nil
    ) -> String {
        struct Page {
            let frame: PageFrame
            let heading: String
            let lead: String
            let action: String
            let backPath: String?
            let query: String
            let typed: String
            let emailProblem: String?
        }
        let isReset = link == .reset
        let heading = isReset ? "Forgot your password?" : "Sign in with a link"
        return render(
            "email-request",
            Page(
                frame: frame(title: heading), heading: heading,
                lead: isReset
                    ? "We send you a link. With it you choose a new password."
                    : "We send you a link. It signs you in without a password.",
                action: isReset ? PasswordSignInPageController.forgottenPath : PasswordSignInPageController.linkPath,
                backPath: returnPath.unlessAccount, query: returnPath.asQuery, typed: typed.shownAgain,
                emailProblem: mistake?.email))
    }

    /// Tells that a mail is on its way. The page is the same whatever the address is, and doesn't show it.
    /// - Parameter isSignedIn: Whether the person asked for the link on a page of their account.
    func mailSent(_ link: RequestedLink, isSignedIn: Bool = false) -> String {
        let what =
            switch link {
            case .signUp: "We have sent a mail to your address. It has the link that finishes your account."
            case .signIn: "We have sent a mail to your address. It has the link that signs you in."
            case .reset: "We have sent a mail to your address. It says how to choose a new password."
            }
        return done(
            heading: "Check your mail",
            [
                what, "Open it in this browser within 15 minutes.",
                "If no mail comes, look into the folder for spam, or check the address and ask again.",
            ],
            action: isSignedIn
                ? .account : FailureText.Action(title: "Back to sign-in", path: PasswordSignInPageController.path))
    }
}
