import AccountService

extension PageRenderer {
    /// The page that an app opens in the browser: says whose sign-in it is, and asks Apple, or another provider, only
    /// after a click.
    /// - Parameters:
    ///   - path: Where the click posts to.
    ///   - provider: The id of the other provider; nil for Apple.
    func authorization(app: String, path: String, provider: String? = nil) -> String {
        /// The words on the button of a provider.
        struct Words {
            let name: String
            let title: String
            let mark: String?
        }
        struct Page {
            let frame: PageFrame
            let app: String
            let initial: String
            let path: String
            let button: PageButton?
            let provider: Words?
        }
        return render(
            "authorization",
            Page(
                frame: frame(title: "Sign in to \(app)"), app: app, initial: initial(of: app), path: path,
                button: provider == nil ? button(.continue) : nil,
                provider: provider.map { id in
                    let name = name(ofProvider: id)
                    return Words(
                        name: name, title: AppleButton.Title.continue.text(for: name),
                        mark: markPath(ofProvider: id))
                }))
    }

    /// The last page.
    func authorizationEnd(_ text: AuthorizationEndText, app: String) -> String {
        struct Page {
            let frame: PageFrame
            let app: String
            let initial: String
            let text: AuthorizationEndText
            let returnPath: String?
            let hint: String?
        }
        return render(
            "authorization-end",
            Page(
                frame: frame(title: text.heading), app: app, initial: initial(of: app), text: text,
                returnPath: text.returnPath, hint: text.hint))
    }

    /// - Parameters:
    ///   - problem: The problem with the code that the person typed; nil at first.
    ///   - typed: The text that the person typed, to be corrected.
    func device(problem: String? = nil, typed: String? = nil) -> String {
        struct Page {
            let frame: PageFrame
            let problem: String?
            let typed: String?
        }
        let title = "Sign in on a device"
        return render(
            "device",
            Page(frame: frame(title: problem == nil ? title : "Problem: \(title)"), problem: problem, typed: typed))
    }

    /// The page on which the person allows or denies the device that shows the code.
    func deviceRequest(_ request: DeviceRequestText) -> String {
        struct Page {
            let frame: PageFrame
            let initial: String
            let app: String
            let code: String
            let place: String
            let age: String
        }
        return render(
            "device-request",
            Page(
                frame: frame(title: "Let a device sign in to \(request.app)?"), initial: initial(of: request.app),
                app: request.app, code: request.code, place: request.place,
                age: request.age))
    }

    private func initial(of app: String) -> String {
        app.first.map { $0.uppercased() } ?? ""
    }
}

/// The facts that a person reads before they allow a device to sign in as them.
struct DeviceRequestText {
    let app: String
    let code: String
    /// The address that the request came from.
    let place: String
    let age: String
}

/// The words of an authorization's last page, and the way back to the app.
struct AuthorizationEndText {
    let heading: String
    let paragraphs: [String]
    /// A path of ours that leads on to the app; nil where nothing leads there.
    var returnPath: String?
    var hint: String?

    /// - Parameter returnPath: While the app can still be reached from here.
    static func signedIn(app: String, provider: String = "Apple", returnPath: String) -> Self {
        Self(
            heading: "Back to \(app)",
            paragraphs: ["\(provider) has answered, and \(app) goes on. If nothing happens, press the button."],
            returnPath: returnPath, hint: "The button works for two minutes. After that you may close this page.")
    }

    static func over(app: String) -> Self {
        Self(
            heading: "This page has done its work",
            paragraphs: [
                "\(app) has its answer, or the two minutes in which this page could bring it are over.",
                "If you are not signed in there, begin again in \(app).",
            ])
    }

    static func cancelled(app: String, returnPath: String?) -> Self {
        Self(
            heading: "Sign-in cancelled",
            paragraphs: ["You are not signed in, and nothing was shared with \(app)."], returnPath: returnPath,
            hint: returnPath == nil ? "You may close this page." : nil)
    }

    static func failed(app: String, returnPath: String?) -> Self {
        Self(
            heading: "Sign-in didn’t work",
            paragraphs: ["You are not signed in. \(app) can begin another one."], returnPath: returnPath,
            hint: returnPath == nil ? "You may close this page." : nil)
    }

    static func expired(app: String, returnPath: String?) -> Self {
        Self(
            heading: "That took too long",
            paragraphs: ["The ten minutes of this sign-in are over, and you are not signed in. Begin again in \(app)."],
            returnPath: returnPath, hint: returnPath == nil ? "You may close this page." : nil)
    }

    static func withdrawn(app: String) -> Self {
        Self(
            heading: "\(app) has stopped waiting",
            paragraphs: ["You are not signed in. If you still want to be, begin again in \(app)."],
            hint: "You may close this page.")
    }

    static func device(app: String) -> Self {
        Self(
            heading: "Return to your device",
            paragraphs: ["\(app) goes on there in a few seconds."], hint: "You may close this page.")
    }

    static func denied() -> Self {
        Self(
            heading: "Denied",
            paragraphs: ["The device is told so. Nobody was signed in, and nothing was shared."],
            hint: "You may close this page.")
    }
}

extension AuthorizationEndText {
    /// - Parameters:
    ///   - provider: The name of who has answered.
    ///   - returnPath: Leads to the app, while it can be reached.
    init(_ ending: AuthorizationEnding, provider: String, returnPath: String) {
        let app = ending.appName
        let path: String?
        switch ending.next {
        case .withdrawn:
            self = .withdrawn(app: app)
            return
        case .over:
            self = .over(app: app)
            return
        case .returnToApp: path = returnPath
        case .returnToDevice: path = nil
        }
        self =
            switch (ending.failure, path) {
            case (nil, let path?): .signedIn(app: app, provider: provider, returnPath: path)
            case (nil, nil): .device(app: app)
            case (.cancelled, _): .cancelled(app: app, returnPath: path)
            case (.denied, nil): .denied()
            case (.expired, _): .expired(app: app, returnPath: path)
            default: .failed(app: app, returnPath: path)
            }
    }
}
