public import Foundation

/// Brings a person's browser to a page of the account service.
///
/// It is the person's own browser, never a view inside the app: there they are signed in to Apple already, and the app
/// sees neither their password nor their cookies (RFC 8252, section 8.12).
public struct BrowserPresenter: Sendable {
    /// Returns when the browser is on its way, or later; throws when there is none.
    public var open: @Sendable (URL) async throws -> Void
    /// Whether ``AuthenticationServicesConfiguration/Flow/automatic`` should use it at all.
    package var isAvailable: @Sendable () -> Bool

    /// A browser that the app opens itself. It counts as available.
    public init(open: @escaping @Sendable (URL) async throws -> Void) {
        self.open = open
        isAvailable = { true }
    }
}

extension BrowserPresenter {
    /// The program with which the desktop opens web pages: `$BROWSER` or `xdg-open` on Linux.
    public static var system: Self {
        var presenter = Self { try await SystemBrowser().open($0) }
        presenter.isAvailable = { SystemBrowser().isAtHand }
        return presenter
    }

    /// No browser, as on a machine without a screen.
    public static var none: Self {
        var presenter = Self { _ in throw BrowserError.absent }
        presenter.isAvailable = { false }
        return presenter
    }
}

/// The reason why no browser was opened.
package enum BrowserError: Error, Equatable {
    /// This machine has no browser, or none whose screen the person sees.
    case absent
    /// Only pages of the web are opened, no files and no apps.
    case notAWebPage
    /// The program that should have opened it ended with this status.
    case failed(status: Int32)
}
