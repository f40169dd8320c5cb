import HTTPTypes
import Hummingbird
import WellKnownFiles

/// A line of the table of routes: what is called, who may call it, and how often.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// A segment in braces stands for any text.
    let path: String
    let access: Access
    let budget: Budget?
    let condition: Condition

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ budget: Budget? = nil,
        when condition: Condition = .always
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.budget = budget
        self.condition = condition
    }

    /// Finds the method of a controller that answers in a context.
    typealias Handler<Context> =
        @Sendable (Controllers) -> @Sendable (Request, Context) async throws -> Response

    /// The callers that a route admits, with the handler. The case fixes the handler's context, so that a handler that
    /// needs a session cannot be reached without one.
    enum Access: Sendable {
        // Called by programs. Errors are JSON. A cookie means nothing.

        /// No credential is read.
        case anyone(Handler<ServiceContext>)
        /// The access token is read if there is one.
        case anyoneOrSession(Handler<ServiceContext>)
        /// A live session, by its access token.
        case session(Handler<SessionContext>)
        /// A live session, or one that Apple ended, by either of its tokens.
        case sessionOrEnded(Handler<EndedSessionContext>)

        // Called by browsers. Errors are pages. An `Authorization` header means nothing, and an unsafe method is taken
        // from this site's own pages only.

        /// The session cookie is not read.
        case page(Handler<ServiceContext>)
        /// The session cookie is read if there is one.
        case visitor(Handler<ServiceContext>)
        /// A browser that is signed in. Any other one is sent to the start page, or told once that its account was
        /// merged.
        case browser(Handler<BrowserContext>)
        /// A form that Apple has the browser post. It comes from Apple's site by design; its `state` and the browser's
        /// cookie guard it.
        case formOfApple(Handler<ServiceContext>)
        /// A form that another provider has the browser post, guarded like Apple's.
        case formOfProvider(Handler<ServiceContext>)
        /// The files that pages load, each with a path of its own.
        case files
    }

    /// The requests that count against the limit of an address.
    enum Budget: Sendable {
        /// Each request counts.
        case each(BudgetKind)
        /// Only refused requests count.
        case refused(BudgetKind)
    }

    /// A setting without which a route isn't there.
    enum Condition: Sendable {
        case always
        /// A Services ID for sign-in on the website.
        case webSignIn
        /// Sign-in on the website, with Apple's script on the page.
        case signInScript
        /// Sign-in on the website: a Services ID, or passwords.
        case browserSignIn
        /// Passwords.
        case passwords
        /// Passwords, and a Services ID for sign-in on the website.
        case passwordsAndWebSignIn
        /// A provider other than Apple.
        case providers
        /// A provider other than Apple, with the credential that browsers need.
        case providersInBrowsers
        /// A Services ID, be it for the website or for an app.
        case servicesID
        /// An app that can begin an authorization: a Services ID, or an app and a provider other than Apple for browsers.
        case authorizations
        /// A file of the operator's, named in the settings.
        case file(WellKnownFile)

        /// Whether the route is part of passwords.
        var isPasswords: Bool {
            switch self {
            case .passwords, .passwordsAndWebSignIn: true
            case .always, .webSignIn, .browserSignIn, .signInScript, .providers, .providersInBrowsers, .servicesID,
                .authorizations, .file:
                false
            }
        }
    }
}

extension Route {
    /// Whether programs call it, so that its errors are never pages.
    var isForPrograms: Bool {
        switch access {
        case .anyone, .anyoneOrSession, .session, .sessionOrEnded: true
        case .page, .visitor, .browser, .formOfApple, .formOfProvider, .files: false
        }
    }

    /// The first segments of the paths that programs call.
    static let programPaths = Set(
        table.flatMap(\.routes).filter(\.isForPrograms).compactMap { $0.path.split(separator: "/").first })
}
