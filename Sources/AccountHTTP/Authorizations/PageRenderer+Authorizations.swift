extension PageRenderer {
    /// The page that an app opens in the browser: says whose sign-in it is, and asks Apple only after a click.
    /// - Parameter path: Where the click posts to.
    func authorization(app: String, path: String) -> String {
        struct Page {
            let frame: PageFrame
            let app: String
            let initial: String
            let path: String
            let button: PageButton
        }
        return render(
            "authorization",
            Page(
                frame: frame(title: "Sign in to \(app)"), app: app, initial: initial(of: app), path: path,
                button: button(.continue)))
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
    ///   - problem: What was wrong with the code that the person typed; nil at first.
    ///   - typed: What the person typed, to be corrected.
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

    /// What the code stands for, to be allowed or denied.
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

/// What a person is told before they allow a device to sign in as them.
struct DeviceRequestText {
    let app: String
    let code: String
    /// The address that the request came from.
    let place: String
    let age: String
}
