import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Lists and ends a person's sessions: for programs and for people, each for their own account alone.
struct SessionListController: Sendable {
    let sessions: Sessions
    let pages: PageRenderer
    let callers: CallerReader

    // MARK: Calls

    @Sendable func list(_ request: Request, _ context: SessionContext) async throws -> Response {
        let current = context.session.session
        let page = try await sessions.list(of: current.accountID, before: try Self.before(request))
        let listed = page.sessions.map { session in
            ListedSession(
                session, appName: pages.appName(of: session), signInAddress: page.knownAddress(of: session),
                provider: page.identity(of: session)?.provider, current: current.id)
        }
        return try Response(json: SessionListAnswer(sessions: listed, next: page.next?.rawValue))
    }

    @Sendable func end(_ request: Request, _ context: SessionContext) async throws -> Response {
        try await sessions.end(
            try Self.id(context), as: context.session.session, from: callers.caller(of: request, context))
        return Response(status: .noContent)
    }

    @Sendable func endAll(_ request: Request, _ context: SessionContext) async throws -> Response {
        let exceptActing: Bool
        switch try FormFields(queryOf: request, for: "except")["except"] {
        case nil: exceptActing = false
        case "current": exceptActing = true
        default: throw HTTPFailure.invalidRequest("except", "is `current` or absent")
        }
        try await sessions.endAll(
            as: context.session.session, exceptActing: exceptActing, from: callers.caller(of: request, context))
        return Response(status: .noContent)
    }

    // MARK: Pages

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let current = context.session.session
        let page = try await sessions.list(of: current.accountID, before: try Self.before(request))
        return Response(page: pages.sessions(page, current: current.id), policy: pages.sessionsPolicy)
    }

    /// Ends a session from the list. If it has ended meanwhile, that is what the person wanted: the list shows it.
    @Sendable func endOnPage(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let (id, acting) = (try Self.id(context), context.session.session)
        do {
            try await sessions.end(id, as: acting, from: callers.caller(of: request, context))
        } catch let error as AccountError where error.code == .sessionUnknown {
            return Response(seeOther: Self.path)
        }
        guard id != acting.id else {
            return Response(seeOther: SignInController.signedOutPath, cookie: CookieName.session.clearing)
        }
        return Response(seeOther: Self.path)
    }

    @Sendable func askOthersOnPage(_ request: Request, _ context: BrowserContext) async throws -> Response {
        Response(page: pages.endOthersQuestion())
    }

    @Sendable func endOthersOnPage(_ request: Request, _ context: BrowserContext) async throws -> Response {
        try await sessions.endAll(
            as: context.session.session, exceptActing: true, from: callers.caller(of: request, context))
        return Response(seeOther: Self.path)
    }

    // MARK: Reading

    static let path = "/account/sessions"

    private static func id(_ context: some RequestContext) throws -> SessionID {
        guard let id = context.parameters.get("id").flatMap({ SessionID(receivedText: $0) }) else {
            throw HTTPFailure(.sessionUnknown, "This is no id of a session.")
        }
        return id
    }

    private static func before(_ request: Request) throws -> SessionID? {
        guard let text = try FormFields(queryOf: request, for: "before")["before"] else { return nil }
        guard let id = SessionID(receivedText: text) else {
            throw HTTPFailure.invalidRequest("before", "is not the `next` of an earlier answer")
        }
        return id
    }
}

extension ListedSession {
    fileprivate init(
        _ session: Session, appName: String?, signInAddress: String?, provider: String?, current: SessionID
    ) {
        self.init(
            id: session.id.rawValue, kind: session.kind.rawValue, identityID: session.identityID.rawValue,
            provider: provider, clientID: session.clientID.rawValue, appName: appName,
            deviceName: session.deviceName?.rawValue, createdAt: APITime(session.createdAt),
            signInAddress: signInAddress, lastUsedAt: APITime(session.lastUsedAt),
            expiresAt: APITime(session.expiresAt), current: session.id == current)
    }
}

extension PageRenderer {
    /// - Parameter current: The session of the browser that asks.
    func sessions(_ page: SessionPage, current: SessionID) -> String {
        struct Row {
            let id: String
            let name: String
            let app: String
            let since: PageTime
            let address: String?
            /// The way in that opened the session. Nil if the account has one.
            let way: String?
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
                name: name(of: session),
                app: appName(of: session) ?? session.clientID.rawValue, since: PageTime(session.createdAt),
                address: page.knownAddress(of: session),
                way: page.identities.count > 1 ? page.identity(of: session).map { title(of: $0) } : nil,
                used: PageTime(session.lastUsedAt),
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

    /// The name of a session's device, as its client gave it, or a word for the kind of device.
    func name(of session: Session) -> String {
        session.deviceName?.rawValue ?? (session.kind == .browser ? "A browser" : "A device")
    }

    /// The name of the app or website that a session belongs to, as it is configured; nil where it has none.
    func appName(of session: Session) -> String? {
        appNames[session.clientID] ?? (session.kind == .browser ? appName : nil)
    }
}

extension SessionPage {
    /// The network address that a session was opened from. Nil if the service doesn't know it.
    func knownAddress(of session: Session) -> String? {
        signInAddresses[session.id].flatMap { $0 == CallerReader.unknown ? nil : $0 }
    }
}
