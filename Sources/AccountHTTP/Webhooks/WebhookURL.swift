public import AccountService
import AppleID

/// Where a webhook is sent: `https`, or `http` on this machine.
public struct WebhookURL: Hashable, Sendable {
    let rawValue: String

    /// - Parameter text: an absolute URL without user, password and fragment, of printable ASCII, at most 2000 bytes.
    /// - Throws: `AccountError` with the code `configuration`.
    public init(_ text: String) throws(AccountError) {
        guard let mark = text.firstRange(of: "://"), text.utf8.count <= 2_000 else {
            throw AccountError(.configuration, "must be an absolute https:// URL")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }) else {
            throw AccountError(.configuration, "must have no fragment, and nothing that a URL writes in another way")
        }
        let end = text[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        guard let origin = ServerOrigin(text[..<end].lowercased()) else {
            throw AccountError(.configuration, "must have a host, perhaps a port, and no user or password")
        }
        guard origin.isAcceptable else {
            throw AccountError(.configuration, "must be https://, unless its host is this machine")
        }
        rawValue = text
    }
}
