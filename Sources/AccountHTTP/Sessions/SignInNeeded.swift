import AccountService
import Hummingbird

/// A browser that isn't signed in asked for a page that requires it. The service sends the browser to the start page.
struct SignInNeeded: Error {
    /// Whether the browser forgets its session cookie, because the cookie names no session.
    ///
    /// The cookie of an ended session stays. It opens nothing, and a fresh proof or a sign-in in another tab may have
    /// given the browser the cookie of a newer session while this request was under way.
    let forgetsCookie: Bool

    /// The address of the start page, with `return` naming the page to show after the sign-in.
    static func location(for request: Request) -> String {
        ReturnPath(toPageOf: request)?.added(to: SignInController.startPath) ?? SignInController.startPath
    }
}

extension ReturnPath {
    /// The pages that a form or a file belongs to: their own addresses show nothing to come back to.
    private static let pages = [
        ExportController.path, DeletionController.path, SessionListController.path, ProfileController.path,
        ConsentController.path, PasswordPageController.path, UpgradeController.path, LinkPageController.path,
        MergeController.path,
    ]

    /// The page that a request is about; nil when there is none to come back to.
    fileprivate init?(toPageOf request: Request) {
        let path = request.uri.path
        let showsPage = request.method == .get || request.method == .head
        // The form of a link from a mail has the address of its page.
        if showsPage || path.hasPrefix(ContactController.path), path != ExportController.filePath {
            self.init(rawValue: path + (request.uri.query.map { "?\($0)" } ?? ""))
        } else if let page = Self.pages.first(where: { path == $0 || path.hasPrefix($0 + "/") }) {
            self.init(rawValue: page)
        } else {
            return nil
        }
    }

    /// Whether it is the path of a link from a mail, which no other server's script may see.
    var isOfLink: Bool { rawValue.hasPrefix(ContactController.path) }

    /// A path with this one as its query's `return`.
    func added(to path: String) -> String {
        var text = path + "?return="
        for byte in rawValue.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
