public import Foundation

/// Sends the person's browser to a page and waits until it comes back with a callback.
///
/// It comes back to an address of this machine alone, see ``Callback``: with any other callback ``start()`` says no.
/// The callback may come from any page that the browser shows, so the app compares the `state` it has sent.
open class ASWebAuthenticationSession: NSObject {
    /// Called once, on the main actor: with the callback's URL, or with an ``ASWebAuthenticationSessionError``.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    private let url: URL
    private let callback: Callback?
    private let run: WebSessionRun
    private weak var keptProvider: (any ASWebAuthenticationPresentationContextProviding)?

    /// Not used here: the browser is the person's own, with its cookies.
    open var prefersEphemeralWebBrowserSession = false
    /// Not used here: a browser takes no headers from other programs.
    open var additionalHeaderFields: [String: String]?

    /// - Parameter URL: http or https.
    public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
        url = URL
        callback = callbackURLScheme.map { .customScheme($0) }
        run = WebSessionRun(completionHandler)
    }

    /// - Parameter URL: http or https.
    public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        url = URL
        self.callback = callback
        run = WebSessionRun(completionHandler)
    }

    /// The object that would be asked for a window. The reference is weak, and nobody is asked: a session needs no window here.
    open var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)? {
        get { keptProvider }
        set { keptProvider = newValue }
    }

    /// Whether ``start()`` would be worth a try: it was not called yet, and the callback is one that can come back.
    open var canStart: Bool { !run.isStarted && fault == nil }

    /// Opens the browser. A session can be started once.
    ///
    /// The session lives until its end on its own.
    /// - Returns: false when it cannot be shown or cannot come back. The first time, the completion handler is told
    ///   why.
    @discardableResult
    open func start() -> Bool {
        guard run.start() else { return false }
        if let fault {
            run.end(.failure(ASWebAuthenticationSessionError(.presentationContextInvalid, explanation: fault)))
            return false
        }
        guard case .scheme(let scheme)? = callback?.kind, let target = LoopbackCallback(scheme) else { return false }
        let configuration = AuthenticationServicesConfiguration.shared
        return run.listen(
            for: target, opening: url, in: configuration?.browser ?? .system,
            timeout: configuration?.timeout ?? .seconds(600))
    }

    /// Ends the session with `canceledLogin`. The page in the browser stays where it is.
    open func cancel() {
        run.end(.failure(ASWebAuthenticationSessionError(.canceledLogin, explanation: "The app has stopped it.")))
    }

    /// Why it cannot be started.
    private var fault: String? {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil else {
            return "The page is not one of the web."
        }
        switch callback?.kind {
        case .scheme(let scheme) where LoopbackCallback(scheme) != nil:
            return nil
        case .https:
            return "No page of a website leads back to a program here: use http://127.0.0.1:PORT as the scheme."
        case .scheme, nil:
            return "No URL of that scheme reaches a program here: use http://127.0.0.1:PORT as the scheme."
        }
    }
}

extension ASWebAuthenticationSession {
    /// The way on which a browser comes back to the app.
    ///
    /// Sendable: its one stored property is a constant.
    open class Callback: NSObject, @unchecked Sendable {
        // Sendable: it never changes, and a subclass adds nothing that this module would send.
        enum Kind: Hashable, Sendable {
            case scheme(String)
            case https(host: String, path: String)
        }

        let kind: Kind

        init(_ kind: Kind) {
            self.kind = kind
        }

        /// Comes back by a scheme of the app's own, without `://`. No such URL reaches a program here, since the
        /// desktop knows of no program for it.
        ///
        /// Instead of a scheme, `http://127.0.0.1:PORT` or `http://[::1]:PORT` may be given, with a path or without:
        /// then the session listens there, and can come back (RFC 8252, section 7.3).
        open class func customScheme(_ customScheme: String) -> Callback {
            Callback(.scheme(customScheme))
        }

        /// Comes back through a page of a website that belongs to the app. Only Apple's systems know which website
        /// does: ``start()`` refuses it.
        open class func https(host: String, path: String) -> Callback {
            Callback(.https(host: host, path: path))
        }

        /// Whether a URL is this callback.
        open func matchesURL(_ url: URL) -> Bool {
            switch kind {
            case .scheme(let scheme):
                if let loopback = LoopbackCallback(scheme) { return loopback.matches(url) }
                return url.scheme?.lowercased() == scheme.lowercased()
            case .https(let host, let path):
                return url.scheme?.lowercased() == "https" && url.host()?.lowercased() == host.lowercased()
                    && url.path() == path
            }
        }
    }
}

/// Names the window over which a web session is shown. There is none here; the value is not used.
@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}
