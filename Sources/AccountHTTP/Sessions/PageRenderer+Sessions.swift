import AccountService
import AppleIDTypes

extension PageRenderer {
    /// - Parameter current: of the browser that asks.
    func sessions(_ page: SessionPage, current: SessionID) -> String {
        struct Row {
            let id: String
            let name: String
            let client: String?
            let since: CalendarDay
            let used: CalendarDay
            let isCurrent: Bool
        }
        struct Page {
            let frame: PageFrame
            let rows: [Row]
            let hasOthers: Bool
            let next: String?
        }
        let rows = page.sessions.map { session in
            Row(
                id: session.id.rawValue,
                name: session.deviceName?.rawValue ?? (session.kind == .browser ? "A browser" : "A device"),
                client: session.kind == .browser ? nil : appNames[session.clientID] ?? session.clientID.rawValue,
                since: CalendarDay(of: session.createdAt), used: CalendarDay(of: session.lastUsedAt),
                isCurrent: session.id == current)
        }
        return render(
            "sessions",
            Page(
                frame: frame(title: "Where you are signed in"), rows: rows, hasOthers: rows.contains { !$0.isCurrent },
                next: page.next?.rawValue))
    }
}
