import Foundation

/// What the person is to do so that a sign-in goes on.
enum Instruction: Hashable, Sendable {
    /// Nothing yet: the account service is being asked.
    case wait

    /// Sign in in the browser. `isOpen` is false when the person has to open the page.
    case browser(URL, isOpen: Bool)

    /// Type the code on that page, on any device.
    case device(code: String, page: URL, expiresAt: Date)
}
