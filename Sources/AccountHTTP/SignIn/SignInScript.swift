/// How the sign-in page uses Apple's script, where a browser runs it. Without it the button is a link, as always.
///
/// A script from Apple's host can do everything on the page that it stands on, so this is for an operator to decide; no
/// other page has one.
public enum SignInScript: String, Hashable, Sendable, CaseIterable {
    /// Apple's page comes in a window of its own, and the sign-in page stays until the end.
    case popup
    /// The browser leaves for Apple's page, as by the link.
    case redirect

    private static let path = "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"

    /// - Parameter emulatorURL: what stands in for Apple; nil when it is Apple itself.
    static func address(emulatorURL: String?) -> String {
        (emulatorURL ?? "https://appleid.cdn-apple.com") + path
    }
}
