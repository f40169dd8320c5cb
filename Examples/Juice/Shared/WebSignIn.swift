import AuthenticationServices
import Foundation

/// Shows the account service's page in the system's browser, and closes it when the page has gone.
///
/// Juice uses it against `siwa demo`, and for providers other than Apple. The page leads back to the app by an address of this
/// device, which AccountClient listens at, so the session needs no callback scheme.
@MainActor
final class WebSignIn: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let window: () -> ASPresentationAnchor
    private let onClose: () -> Void
    private var page: URL?
    private var session: ASWebAuthenticationSession?

    /// - Parameters:
    ///   - window: returns the window over which the browser comes.
    ///   - onClose: is called when the person closes the browser.
    init(window: @escaping () -> ASPresentationAnchor, onClose: @escaping () -> Void) {
        self.window = window
        self.onClose = onClose
    }

    /// Shows a page in place of the one before; nil closes the browser.
    func show(_ next: URL?) {
        guard next != page else { return }
        page = next
        session?.cancel()
        session = nil
        guard let next else { return }
        // Sendable, so that the system may call it on any thread.
        let session = ASWebAuthenticationSession(url: next, callbackURLScheme: nil) { @Sendable [weak self] _, _ in
            Task { @MainActor [weak self] in self?.closed(next) }
        }
        session.presentationContextProvider = self
        self.session = session
        if !session.start() { closed(next) }
    }

    /// The system says so too when this object has closed the browser itself: then another page, or none, is due.
    private func closed(_ shown: URL) {
        guard page == shown else { return }
        page = nil
        session = nil
        onClose()
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        window()
    }
}
