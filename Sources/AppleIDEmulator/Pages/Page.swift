import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// A page ready to be sent, with what the browser may do on it.
struct Page: Sendable {
    let html: String
    let contentSecurityPolicy: String

    /// The powers of a page's forms and scripts.
    enum Powers: Sendable {
        /// Forms go to the emulator; no script.
        case forms
        /// Forms may end anywhere; no script. Browsers apply the rule for forms also to the redirections that follow, and a
        /// client may redirect the person from its callback to another host or to an app's own scheme.
        case formsThatLeave
        /// Forms may end anywhere, and the emulator's script submits the form.
        case delivery
        /// Frames show documents of the emulator, and no form goes anywhere.
        case frames
        /// The document is the HTML of a mail, which anybody can have written.
        case mail
    }

    init(_ html: String, _ powers: Powers) {
        self.html = html
        guard powers != .mail else {
            contentSecurityPolicy = MailFrame.contentSecurityPolicy
            return
        }
        var rules = ["default-src 'none'", "style-src 'self'", "img-src 'self'"]
        if powers == .delivery { rules.append("script-src 'self'") }
        if powers == .frames { rules += ["frame-src 'self'", "form-action 'none'"] }
        if powers == .forms { rules.append("form-action 'self'") }
        rules += ["base-uri 'none'", "frame-ancestors 'none'"]
        contentSecurityPolicy = rules.joined(separator: "; ")
    }
}

extension Response {
    static func page(_ page: Page, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .cacheControl: "no-store",
                .contentSecurityPolicy: page.contentSecurityPolicy,
                // The receiver of the form sees its origin, as with Apple, but not the page.
                .referrerPolicy: "strict-origin",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html))
        )
    }

    static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }
}

/// Escapes for HTML scalar by scalar.
///
/// Mustache's own escaping looks at whole characters. A quotation mark followed by a combining accent is another
/// character than a quotation mark, passes it, and ends an attribute all the same.
struct HTMLEscaping: MustacheContentType {
    /// The name for a `CONTENT_TYPE` pragma at the top of each template.
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
