import AccountService
import AppleIDTypes

extension PageRenderer {
    /// - Parameter current: The session of the browser that asks.
    func sessions(_ page: SessionPage, current: SessionID) -> String {
        struct Row {
            let id: String
            let name: String
            let app: String
            let since: PageTime
            let address: String?
            let used: PageTime
            let isCurrent: Bool
        }
        struct Page {
            let frame: PageFrame
            let rows: [Row]
            let hasOthers: Bool
            let next: String?
            let script: String
        }
        let rows = page.sessions.map { session in
            Row(
                id: session.id.rawValue,
                name: session.deviceName?.rawValue ?? (session.kind == .browser ? "A browser" : "A device"),
                app: appName(of: session) ?? session.clientID.rawValue, since: PageTime(session.createdAt),
                address: page.knownAddress(of: session), used: PageTime(session.lastUsedAt),
                isCurrent: session.id == current)
        }
        return render(
            "sessions",
            Page(
                frame: frame(title: "Where you are signed in"), rows: rows, hasOthers: rows.contains { !$0.isCurrent },
                next: page.next?.rawValue, script: localTimeScript.path))
    }

    /// Asks before the person signs out everywhere else.
    func endOthersQuestion() -> String {
        struct Page {
            let frame: PageFrame
        }
        return render("end-others", Page(frame: frame(title: "Sign out everywhere else")))
    }

    /// The name of the app or website that a session belongs to, as it is configured; nil where it has none.
    func appName(of session: Session) -> String? {
        appNames[session.clientID] ?? (session.kind == .browser ? appName : nil)
    }
}

extension SessionPage {
    /// The network address that a session was opened from; nil where nobody knows it.
    func knownAddress(of session: Session) -> String? {
        signInAddresses[session.id].flatMap { $0 == ClientAddress.unknown ? nil : $0 }
    }
}
