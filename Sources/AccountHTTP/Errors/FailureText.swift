import AccountAPI
import AccountService

/// A page that tells a person that something did not work. ``ErrorAnswer`` says which error code leads to which page.
enum FailurePage {
    /// The general page, for everything that came back from Apple and proves nothing.
    case signInFailed
    case pageNotFound
    case unreadable
    case crossSite
    /// The sign-in in this browser was finished, or took too long.
    case attemptOver
    /// The app's authorization was finished, or took too long.
    case authorizationOver
    case otherBrowser
    case cookiesBlocked
    case otherAppleAccount
    /// Another person than the session's came back from a provider other than Apple.
    case otherProviderAccount
    /// The last sign-in is more than five minutes ago.
    case proofNeeded
    case signedOut
    case sessionUnknown
    case deletionUnknown
    case consentNeeded
    case consentUnknown
    /// A link from a mail is used, too old or not complete.
    case linkUnknown
    /// A link from a mail belongs to another account than the one that is signed in.
    case linkOfAnotherAccount
    /// This server sends no mail.
    case noMail
    /// The email address or the password is wrong.
    case wrongCredentials
    case passwordRefused
    /// Too many passwords wait to be hashed.
    case tooBusy
    /// A link from a mail needs the address in this browser.
    case emailNeeded
    case notByPassword
    case appleAccountInUse
    /// The person at a provider other than Apple opens another account.
    case providerAccountInUse
    case wayInUnknown
    case lastWayIn
    case alreadyLinked
    case mergeChanged
    /// The handle of a conflict, which a form carries, is used or too old.
    case conflictOver
    /// The session's account was merged into another one.
    case accountMerged
    case accountDisabled
    /// The app has moved to another team at Apple, and the account hasn't followed yet.
    case accountMoving
    case tooManyAttempts
    case appleUnreachable
    /// The answer of a provider other than Apple proves nothing.
    case providerFailed
    case providerUnreachable
    case ourFault
}

/// The words of a page that tells a person that something did not work.
struct FailureText {
    struct Action {
        let title: String
        let path: String

        static let tryAgain = Action(title: "Try again", path: "/")
        static let account = Action(title: "Go to your account", path: "/account")
        static let sessions = Action(title: "See where you are signed in", path: "/account/sessions")
        static let profile = Action(title: "Go to your profile", path: "/account/profile")
        static let consents = Action(title: "See what you agreed to", path: "/account/consents")
        static let waysIn = Action(title: "Go to your ways in", path: "/account/links")
        static let startPage = Action(title: "Go to the start page", path: "/")
    }

    let heading: String
    let paragraphs: [String]
    /// Nil where the way leads back to an app.
    let action: Action?

    static let cancelled = FailureText(
        heading: "Sign-in cancelled", paragraphs: ["You are not signed in, and nothing was shared."])

    private init(heading: String, paragraphs: [String], action: Action? = .tryAgain) {
        self.heading = heading
        self.paragraphs = paragraphs
        self.action = action
    }

    /// - Parameters:
    ///   - details: The details of the failure.
    ///   - isPlainLoopback: Whether the service is reached as http on the person's own machine.
    ///   - isSignedIn: Whether the person had a session when the attempt began.
    init(_ page: FailurePage, details: ErrorDetails? = nil, isPlainLoopback: Bool, isSignedIn: Bool = false) {
        let consequence = isSignedIn ? "Nothing was changed." : "You are not signed in."
        switch page {
        case .pageNotFound:
            self.init(
                heading: "Page not found", paragraphs: ["There is nothing at this address."],
                action: .startPage)
        case .crossSite:
            self.init(
                heading: "That came from somewhere else",
                paragraphs: ["For your safety, forms are taken from this site’s own pages only."],
                action: .startPage)
        case .attemptOver:
            self.init(
                heading: "This sign-in is over",
                paragraphs: ["It was finished already, or it began more than ten minutes ago."])
        case .otherBrowser:
            self.init(
                heading: "Another browser began this",
                paragraphs: ["A sign-in must end in the browser in which it began."])
        case .deletionUnknown:
            self.init(
                heading: "Nothing is known of this deletion",
                paragraphs: ["The address is not complete, or the deletion was done more than 30 days ago."],
                action: .startPage)
        case .consentNeeded:
            self.init(
                heading: "We need your consent first",
                paragraphs: ["Nothing was changed. On your profile, read the text, agree to it, and begin anew."],
                action: .profile)
        case .consentUnknown:
            self.init(
                heading: "You haven’t agreed to this",
                paragraphs: ["You have withdrawn this consent already, or its address is not complete."],
                action: .consents)
        case .linkUnknown:
            self.init(
                heading: "This link no longer works",
                paragraphs: [
                    "It was used already, it is too old, or it is not complete.",
                    "If you have just used it, what you asked for is done.",
                ],
                action: .startPage)
        case .linkOfAnotherAccount:
            self.init(
                heading: "This link is for another account",
                paragraphs: [
                    "Nothing was changed. You are signed in to another account than the one that asked for the link.",
                    "Sign out, and open the link again.",
                ],
                action: .startPage)
        case .noMail:
            self.init(
                heading: "We can’t send mail",
                paragraphs: ["This service sends no mail, so it can’t check an email address. Nothing was changed."],
                action: .profile)
        case .wrongCredentials:
            self.init(
                heading: "That didn’t match",
                paragraphs: ["The email address or the password is wrong. You are not signed in."])
        case .passwordRefused:
            self.init(
                heading: "Choose another password",
                paragraphs: [Self.words(ofRefusal: details), "Nothing was changed."])
        case .tooBusy:
            self.init(
                heading: "Many people are signing in",
                paragraphs: ["You did nothing wrong. Try again \(WaitingTime.words(details))."])
        case .emailNeeded:
            self.init(
                heading: "We need your email address",
                paragraphs: [
                    "Another browser asked for this link. Open it again, and type the address that it was sent to."
                ],
                action: .startPage)
        case .notByPassword:
            self.init(
                heading: "This account has no password",
                paragraphs: ["Nothing was changed. Use the way in which you sign in here."], action: .account)
        case .appleAccountInUse:
            self.init(
                heading: "That Apple Account is in use",
                paragraphs: ["Nothing was changed. It signs in to another account here."],
                action: .account)
        case .providerAccountInUse:
            self.init(
                heading: "That account is in use",
                paragraphs: ["Nothing was changed. It signs in to another account here."],
                action: .account)
        case .wayInUnknown:
            self.init(
                heading: "Your account has no such way in",
                paragraphs: ["It was removed before, or its address is not complete."], action: .account)
        case .lastWayIn:
            self.init(
                heading: "This is your only way in",
                paragraphs: [
                    "Nothing was changed. Without it, you could no longer sign in. Add another way in first, or delete "
                        + "your account."
                ], action: .account)
        case .alreadyLinked:
            self.init(
                heading: "Your account has an address already",
                paragraphs: ["Nothing was changed. You can sign in with one email address."], action: .account)
        case .mergeChanged:
            self.init(
                heading: "Your accounts have changed",
                paragraphs: ["Nothing was changed by this page. Look at the list once more."], action: .account)
        case .conflictOver:
            self.init(
                heading: "This page no longer works",
                paragraphs: [
                    "Nothing was changed. The page was used already, or it is more than five minutes old.",
                    "To get to your other account, add the way to sign in once more.",
                ], action: .waysIn)
        case .accountMerged:
            self.init(
                heading: "You have one account now",
                paragraphs: ["This account was merged into your other one. Sign in again to use that."],
                action: .startPage)
        case .otherAppleAccount:
            self.init(
                heading: "That was another Apple Account",
                paragraphs: ["Nothing was changed. Use the Apple Account with which you are signed in here."],
                action: .account)
        case .otherProviderAccount:
            self.init(
                heading: "That was another account",
                paragraphs: ["Nothing was changed. Use the account with which you are signed in here."],
                action: .account)
        case .proofNeeded:
            self.init(
                heading: "Prove once more that it is you",
                paragraphs: ["Nothing was changed. Your last sign-in is more than five minutes ago. Begin anew."],
                action: .account)
        case .signedOut:
            self.init(
                heading: "You are signed out", paragraphs: ["Sign in again, and then begin anew."], action: .startPage)
        case .sessionUnknown:
            self.init(
                heading: "Nobody is signed in there",
                paragraphs: ["It was signed out already, or its address is not complete."], action: .sessions)
        case .cookiesBlocked:
            self.init(heading: "Cookies are blocked", paragraphs: Self.cookieAdvice(isPlainLoopback))
        case .authorizationOver:
            self.init(
                heading: "This sign-in is over",
                paragraphs: [
                    "It was finished already, or it began too long ago.", "Go back to the app and begin again.",
                ],
                action: nil)
        case .accountDisabled:
            self.init(
                heading: "This account is closed for now",
                paragraphs: ["\(consequence) Ask whoever runs this service."], action: nil)
        case .accountMoving:
            self.init(
                heading: "Your account is being moved",
                paragraphs: [
                    "This app now belongs to another developer, and your account hasn’t been moved yet.",
                    "\(consequence) Try again later, or ask whoever runs this service.",
                ], action: nil)
        case .tooManyAttempts:
            self.init(
                heading: "Too many attempts", paragraphs: ["Try again \(WaitingTime.words(details))."], action: nil)
        case .appleUnreachable:
            self.init(
                heading: "Apple can’t be reached",
                paragraphs: ["\(consequence) Try again in a few minutes."])
        case .providerFailed:
            self.init(
                heading: "Sign-in didn’t work",
                paragraphs: ["What came back from the other site could not be accepted, and nothing was changed."])
        case .providerUnreachable:
            self.init(
                heading: "The other site can’t be reached",
                paragraphs: ["Nothing was changed. Try again in a few minutes, or sign in another way."])
        case .ourFault:
            self.init(
                heading: "This is our fault",
                paragraphs: ["Something does not work here, and you did nothing wrong. Try again in a few minutes."])
        case .unreadable:
            self.init(
                heading: "We couldn’t read that request", paragraphs: ["Something in it is missing or malformed."],
                action: .startPage)
        case .signInFailed:
            self.init(
                heading: "Sign-in didn’t work", paragraphs: ["What came back from Apple could not be accepted."])
        }
    }

    /// The text with an action that leads back to where the person was.
    func leading(to path: ReturnPath) -> Self {
        FailureText(
            heading: heading, paragraphs: paragraphs,
            action: path == .account ? .account : Action(title: "Go back", path: path.rawValue))
    }

    /// The reason why a password is refused.
    static func words(ofRefusal details: ErrorDetails?) -> String {
        guard case .passwordRefused(let refusal) = details else { return "This password can’t be used here." }
        return refusal.words
    }

    private static func cookieAdvice(_ isPlainLoopback: Bool) -> [String] {
        let problem = "Your browser came back from Apple without the cookie that this site gave it."
        guard isPlainLoopback else {
            return [problem, "Allow cookies for this site, then try again."]
        }
        return [
            problem,
            "Safari drops secure cookies on http://localhost. Use another browser, or start with “siwa demo --tls”.",
            "In any other browser, allow cookies for this site and try again.",
        ]
    }
}
