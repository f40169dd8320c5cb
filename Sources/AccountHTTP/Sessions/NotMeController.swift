import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The page of the link in a mail about a new device: it ends the sessions there.
///
/// Programs that check mails open every link, so the link alone changes nothing: the page asks, and its form acts. Nobody
/// needs to be signed in: whoever reads the mail may end the session.
struct NotMeController: Sendable {
    let sessions: Sessions
    let pages: PageRenderer
    let callers: CallerReader
    let feature: PasswordFeature
    let ways: WaysInLookup

    @Sendable func ask(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        guard let signIn = try await sessions.signIn(ofLink: secret) else { throw Self.unknown }
        guard signIn.state != .disowned else { return Response(page: pages.signedOutThere()) }
        return Response(page: pages.notMeQuestion(secret, signIn), policy: pages.sessionsPolicy)
    }

    /// Ends the sessions, and leads a browser that is signed in to the list of sessions. Any other one gets a page that
    /// says so, and leads there through the sign-in.
    @Sendable func end(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let secret = try LinkSecret(pathOf: context)
        let named = try await sessions.signIn(ofLink: secret)?.session
        guard let ended = try await sessions.end(ofLink: secret, from: callers.caller(of: request, context)) else {
            throw Self.unknown
        }
        if let browser = context.browserSession?.session, let named, browser.accountID == named.accountID,
            !ended.contains(browser.id)
        {
            return Response(seeOther: SessionListController.path)
        }
        return Response(
            page: pages.signedOutThere(isByEmail: try await isByEmail(named), provider: try await provider(of: named)))
    }

    /// Whether the person of a session can choose a new password.
    private func isByEmail(_ session: Session?) async throws -> Bool {
        guard feature.isOn, let session else { return false }
        return try await ways.waysIn(thatOpened: session).emailIdentity != nil
    }

    /// The name of the provider with which the person of a session signs in; nil for Apple and for an email address.
    private func provider(of session: Session?) async throws -> String? {
        guard let session else { return nil }
        return try await ways.waysIn(thatOpened: session).providers.first.map(pages.name(ofProvider:))
    }

    private static var unknown: AccountError {
        AccountError(.linkUnknown, "this link is used, too old, or not complete")
    }
}

extension PageRenderer {
    /// Asks whether a session ends that a person doesn't know. If the device is signed out already, it asks whether the
    /// person doesn't know the device.
    func notMeQuestion(_ secret: LinkSecret, _ signIn: NewDeviceSignIn) -> String {
        let session = signIn.session
        struct Page {
            let frame: PageFrame
            let token: String
            let device: String
            let app: String
            let since: PageTime
            let isLive: Bool
            let script: String
        }
        return render(
            "not-me-question",
            Page(
                frame: frame(title: "A new device"), token: secret.rawValue, device: name(of: session),
                app: appName(of: session) ?? session.clientID.rawValue, since: PageTime(session.createdAt),
                isLive: signIn.state == .live, script: localTimeScript.path))
    }

    /// Tells that the session is over.
    /// - Parameters:
    ///   - isByEmail: Whether the person signs in with an email address.
    ///   - provider: The name of the provider with which they sign in; nil for Apple.
    func signedOutThere(isByEmail: Bool = false, provider: String? = nil) -> String {
        let account = provider.map { "account at \($0)" } ?? "Apple Account"
        return done(
            heading: "It is signed out there",
            [
                "Whoever used that device can’t use your account any more.",
                isByEmail
                    ? "If you think that somebody knows how to sign in as you, change your password, and the one of your "
                        + "mailbox."
                    : "If you think that somebody knows how to sign in as you, change the password of your \(account).",
            ],
            action: .sessions)
    }
}
