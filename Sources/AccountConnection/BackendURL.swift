package import Foundation

/// The rule for an account service's URL: https, or http on this machine only, because requests hold secrets.
package enum BackendURL {
    /// - Returns: the fault of the URL; nil if it is valid.
    package static func fault(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
            return "The backend must be an absolute URL such as https://accounts.example.com."
        }
        guard url.user() == nil, url.password() == nil, url.query() == nil, url.fragment() == nil else {
            return "The backend's URL must have no user, query or fragment."
        }
        switch scheme {
        case "https":
            return nil
        case "http" where ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host):
            return nil
        case "http":
            return "The backend must be https://, because \(host) is not this machine."
        default:
            return "The backend must be https:// (or http:// on this machine)."
        }
    }
}
