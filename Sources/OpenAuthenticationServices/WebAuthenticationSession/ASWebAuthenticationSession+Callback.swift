public import Foundation

extension ASWebAuthenticationSession {
    /// How a browser comes back to the app.
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

        /// By a scheme of the app's own, without `://`. No such URL reaches a program here, since the desktop knows of
        /// no program for it.
        ///
        /// In the place of a scheme may stand `http://127.0.0.1:PORT` or `http://[::1]:PORT`, with a path or without:
        /// then the session listens there, and can come back (RFC 8252, section 7.3).
        open class func customScheme(_ customScheme: String) -> Callback {
            Callback(.scheme(customScheme))
        }

        /// By a page of a website that belongs to the app. Only Apple's systems know which do: ``start()`` refuses it.
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
