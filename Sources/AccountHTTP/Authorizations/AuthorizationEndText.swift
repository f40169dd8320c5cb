import AccountService

/// What the last page says, and how it leads back.
struct AuthorizationEndText {
    let heading: String
    let paragraphs: [String]
    /// A path of ours that leads on to the app; nil where nothing leads there.
    var returnPath: String?
    var hint: String?

    /// - Parameter returnPath: While the app can still be reached from here.
    static func signedIn(app: String, returnPath: String) -> Self {
        Self(
            heading: "Back to \(app)",
            paragraphs: ["Apple has answered, and \(app) goes on. If nothing happens, press the button."],
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
    /// - Parameter returnPath: Leads to the app, while it can be reached.
    init(_ ending: AuthorizationEnding, returnPath: String) {
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
            case (nil, let path?): .signedIn(app: app, returnPath: path)
            case (nil, nil): .device(app: app)
            case (.cancelled, _): .cancelled(app: app, returnPath: path)
            case (.denied, nil): .denied()
            case (.expired, _): .expired(app: app, returnPath: path)
            default: .failed(app: app, returnPath: path)
            }
    }
}
