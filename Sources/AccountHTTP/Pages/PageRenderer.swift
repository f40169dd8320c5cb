import AccountAPI
import AccountService
import AppleIDTypes
import Mustache
import OpenIDConnect

/// Makes the pages: templates, filled in. Knows no request. It is a class, since most controllers hold it.
final class PageRenderer: Sendable {
    let assets: [Asset]

    private let configuration: AccountHTTPConfiguration
    let appName: String
    /// Whether browsers reach the service without TLS on their own machine, where Safari keeps no Secure cookie.
    private let isPlainLoopback: Bool
    private let library: MustacheLibrary
    private let styleSheet: Asset
    private let icon: Asset
    private let signInScripts: PageScripts?
    /// Nil for the standard one.
    let signInPolicy: ContentSecurityPolicy?
    /// The pictures of the providers on the buttons, by their names.
    let marks: [String: Asset]
    /// Writes the times of ``sessions(_:current:)`` in the person's time zone.
    let localTimeScript: Asset
    /// The policy of the page of sessions: its script runs, and no other.
    let sessionsPolicy: ContentSecurityPolicy
    /// Whether browsers can sign in here. A service for apps alone has no Services ID to ask Apple with.
    let hasWebSignIn: Bool
    /// Whether the service takes passwords.
    let hasPasswords: Bool
    /// Whether browsers can sign in here in any way, and so prove who their person is.
    var hasBrowserSignIn: Bool { hasWebSignIn || hasPasswords || providers.contains { $0.credential != nil } }
    /// The providers other than Apple, in the order in which pages show them.
    let providers: [ProviderConfiguration]

    /// The names of the apps that sign in through these clients. Nothing says which app has which client at a provider
    /// other than Apple, so the service's name stands for each.
    let appNames: [ClientID: String]

    /// Throws when a template is wrong.
    init(
        configuration: AccountHTTPConfiguration, publicURL: PublicURL, apps: [App] = [], hasWebSignIn: Bool = true,
        hasPasswords: Bool = false, providers: [ProviderConfiguration] = []
    ) throws {
        self.configuration = configuration
        self.hasWebSignIn = hasWebSignIn
        self.hasPasswords = hasPasswords
        self.providers = providers
        appName = configuration.appName.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        isPlainLoopback = publicURL.isLoopback && !publicURL.usesTLS
        let files = PageFiles()
        // Pages carry no inline styles, so the operator's choice is in the style sheet.
        let radius = min(max(configuration.button.cornerRadius, 0), 24)
        styleSheet = Asset(
            name: "siwa", extension: "css", contentType: "text/css; charset=utf-8",
            content: try files.text("siwa.css") + ":root { --button-radius: \(radius)px; }\n")
        icon = Asset(
            name: "icon", extension: "svg", contentType: "image/svg+xml", content: try files.text("icon.svg"))
        localTimeScript = Asset(
            name: "local-times", extension: "js", contentType: "text/javascript; charset=utf-8",
            content: try files.text("local-times.js"))
        sessionsPolicy = .scripts([publicURL.appending(localTimeScript.path)])
        let names = Set(providers.compactMap(\.button.mark)).intersection(ProviderMarks.names)
        marks = Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let content = try files.text("\(name).svg")
                return (
                    name, Asset(name: name, extension: "svg", contentType: "image/svg+xml", content: content)
                )
            })
        var assets = [styleSheet, icon, localTimeScript] + marks.values
        if hasWebSignIn, let mode = configuration.signInScript {
            let own = Asset(
                name: "sign-in", extension: "js", contentType: "text/javascript; charset=utf-8",
                content: try files.text("sign-in.js"))
            let apple = SignInScript.address(emulatorURL: configuration.emulatorURL)
            assets.append(own)
            signInScripts = PageScripts(apple: apple, own: own.path, mode: mode.rawValue)
            signInPolicy = .scripts(
                [apple, publicURL.appending(own.path)], ask: publicURL.appending("/sign-in/apple"))
        } else {
            signInScripts = nil
            signInPolicy = nil
        }
        self.assets = assets
        let service = appName
        let clients = providers.flatMap { [$0.clientID] + $0.appClientIDs }.map { (ClientID($0), service) }
        appNames = Dictionary(
            apps.flatMap { app in app.clientIDs.map { ($0, app.name) } } + clients,
            uniquingKeysWith: { first, _ in first })
        library = try Self.templates.get()
    }

    /// The templates of every renderer. Reading them takes a debug build 23 ms, and tests start thousands of services.
    private static let templates: Result<MustacheLibrary, any Error> = Result {
        var library = MustacheLibrary()
        for (name, text) in PageFiles().templates {
            try library.register(HTMLText.directive + text, named: name)
        }
        return library
    }

    /// The start page.
    /// - Parameters:
    ///   - account: The account of the session that the browser has.
    ///   - returnPath: The page to show after the sign-in.
    ///   - isSignedOut: Whether the person has just signed out.
    ///   - entry: The form for an address and a password, as it was filled in. Nil if the service takes no passwords.
    ///   - mayUseScript: Whether Apple's script may run on the page. A script could read a password, so the page then
    ///     leads to the form in place of showing it.
    ///   - notice: Words about what the person has just done.
    func signIn(
        account: Account?, returnPath: ReturnPath = .account, isSignedOut: Bool = false, entry: PasswordEntry? = nil,
        mayUseScript: Bool = false, notice: String? = nil
    ) -> String {
        /// The other way to sign in: a link to the form, or the form.
        struct Other {
            let isBesideApple: Bool
            let path: String?
            let form: PasswordEntryPart?
        }
        struct Page {
            let frame: PageFrame
            let heading: String
            let lead: String
            let notice: String?
            let other: Other?
            let button: PageButton?
            let providers: [ProviderButtonPart]
            let signInPath: String
            let signedInAs: String?
            let next: FailureText.Action
            let scripts: PageScripts?
        }
        let heading = signInHeading(isSignedOut: isSignedOut)
        let buttons = providerButtons(configuration.button.title, returnPath: returnPath)
        let path = SignInController.beginningPath
        let scripts = mayUseScript && account == nil && !returnPath.isOfLink ? signInScripts : nil
        return render(
            "sign-in",
            Page(
                frame: frame(title: account == nil ? heading : "Welcome back"), heading: heading,
                lead: signInLead(hasProviders: !buttons.isEmpty, hasForm: entry != nil, isSignedOut: isSignedOut),
                notice: notice,
                other: entry.map { entry in
                    Other(
                        isBesideApple: hasWebSignIn || !buttons.isEmpty,
                        path: scripts == nil ? nil : PasswordSignInPageController.path + returnPath.asQuery,
                        form: scripts == nil ? PasswordEntryPart(entry, returnPath: returnPath) : nil)
                },
                button: hasWebSignIn ? button(configuration.button.title) : nil, providers: buttons,
                signInPath: returnPath == .account ? path : returnPath.added(to: path),
                signedInAs: account.map { $0.name?.formatted ?? $0.email ?? "yourself" },
                next: FailureText.Action(
                    title: returnPath == .account ? "Continue to your account" : "Continue", path: returnPath.rawValue),
                scripts: scripts))
    }

    private func signInHeading(isSignedOut: Bool) -> String {
        if isSignedOut { return "You are signed out" }
        guard hasBrowserSignIn else { return appName }
        return switch configuration.button.title {
        case .signIn: "Sign in to \(appName)"
        case .signUp: "Join \(appName)"
        case .continue: "Welcome to \(appName)"
        }
    }

    /// The words below the heading of the start page.
    /// - Parameters:
    ///   - hasProviders: Whether there are buttons of other providers than Apple.
    ///   - hasForm: Whether people can sign in with an address and a password.
    private func signInLead(hasProviders: Bool, hasForm: Bool, isSignedOut: Bool) -> String {
        if !hasBrowserSignIn {
            "You can’t sign in on this website. Sign in with Apple in the app."
        } else if hasProviders {
            "Use an account that you have already."
        } else if !hasWebSignIn {
            "Use your email address and your password."
        } else if hasForm {
            "Use your Apple Account, or your email address. You decide whether to share the address at Apple."
        } else if isSignedOut {
            "To use \(appName) in this browser again, sign in with your Apple Account."
        } else {
            "Use your Apple Account. No new password, and you decide whether to share your email address."
        }
    }

    func button(_ title: AppleButton.Title) -> PageButton {
        PageButton(style: configuration.button.style.rawValue, title: title.text)
    }

    /// After Cancel at Apple.
    func cancelled() -> String {
        message(FailureText.cancelled, requestID: nil)
    }

    func failure(_ code: ErrorCode.Known, details: ErrorDetails? = nil, requestID: String) -> String {
        failure(HTTPFailure(code, "", details: details), requestID: requestID)
    }

    func failure(_ failure: HTTPFailure, requestID: String) -> String {
        let code = failure.code
        let text = FailureText(
            failure.page ?? code.answer.page, details: failure.details, isPlainLoopback: isPlainLoopback,
            isSignedIn: failure.returnPath != nil)
        return message(
            failure.returnPath.map(text.leading(to:)) ?? text, requestID: requestID,
            // In test mode the reader is a developer, who would look the code up in the log.
            code: configuration.emulatorURL == nil ? nil : code)
    }

    private func message(_ text: FailureText, requestID: String?, code: ErrorCode.Known? = nil) -> String {
        struct Page {
            let frame: PageFrame
            let text: FailureText
            let requestID: String?
            let code: String?
        }
        return render(
            "message",
            Page(frame: frame(title: text.heading), text: text, requestID: requestID, code: code?.rawValue))
    }

    func frame(title: String) -> PageFrame {
        let theme =
            switch configuration.button.style {
            case .automatic: "automatic"
            case .black, .outlined: "light"
            case .white: "dark"
            }
        return PageFrame(
            title: title.contains(appName) ? title : "\(title) · \(appName)", appName: appName,
            initial: appName.first.map { $0.uppercased() } ?? "", theme: theme, styleSheet: styleSheet.path,
            icon: icon.path, emulatorURL: configuration.emulatorURL)
    }

    func render(_ name: String, _ page: Any) -> String {
        // Every name is registered in the initialiser; a test renders each.
        (library.render(page, withTemplate: name) ?? "") + "\n"
    }
}

/// Apple's button, as templates draw it.
struct PageButton {
    let style: String
    let title: String
}

/// The addresses of the sign-in page's scripts, and what its own is told.
struct PageScripts {
    let apple: String
    let own: String
    let mode: String
}

/// The values that every page shows or loads.
struct PageFrame {
    let title: String
    let appName: String
    let initial: String
    let theme: String
    let styleSheet: String
    let icon: String
    let emulatorURL: String?
}
