/// The page that the browser shows at the end. It holds no secret and loads nothing.
package enum LoopbackPage: Hashable, Sendable {
    case done
    case cancelled
    case failed
    /// The answer to any other request.
    case notFound

    /// The whole answer, headers included.
    /// - Parameter withoutBody: for a `HEAD` request.
    func answer(withoutBody: Bool = false) -> [UInt8] {
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p>\(sentence)</p>
            </html>

            """
        let head = [
            "HTTP/1.1 \(self == .notFound ? "404 Not Found" : "200 OK")",
            "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(page.utf8.count)",
            "Connection: close",
            "Cache-Control: no-store",
            "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "", "",
        ]
        return Array((head.joined(separator: "\r\n") + (withoutBody ? "" : page)).utf8)
    }

    private var title: String {
        switch self {
        case .done: "Thank you"
        case .cancelled: "Cancelled"
        case .failed: "The sign-in failed"
        case .notFound: "Not found"
        }
    }

    private var sentence: String {
        switch self {
        case .done: "You can close this window and return to the app."
        case .cancelled: "Nobody was signed in. You can close this window and return to the app."
        case .failed: "The sign-in has failed. You can close this window and return to the app, which says more."
        case .notFound: "There is nothing here."
        }
    }
}
