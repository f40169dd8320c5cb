/// The address of the service, as people and Apple see it: scheme, host and port, nothing else.
///
/// It comes from configuration alone. No redirect URI, cookie or link is ever built from a request's `Host`.
public struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL without a slash at its end.
    public let rawValue: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    /// Whether the URL begins with `https://`.
    package let usesTLS: Bool

    /// Reads the URL from the configuration.
    /// - Parameter text: `https://host[:port]`, or `http://` on a loopback host.
    /// - Throws: ``AccountError/Code/configuration``.
    public init(_ text: String) throws(AccountError) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else {
            throw AccountError(
                .configuration, "the public URL must begin with https:// (or http:// on a loopback host)")
        }
        let usesTLS = parts[0].lowercased() == "https"
        let authority = (parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]).lowercased()
        guard let (host, port) = Self.split(authority) else {
            throw AccountError(.configuration, "the public URL must be scheme, host and port only, without a path")
        }
        guard usesTLS || Self.isLoopback(host) else {
            throw AccountError(.configuration, "the public URL must be https://, because \(host) is not this machine")
        }
        let isDefaultPort = port == nil || port == (usesTLS ? 443 : 80)
        self.host = host
        self.usesTLS = usesTLS
        self.rawValue = (usesTLS ? "https://" : "http://") + host + (isDefaultPort ? "" : ":\(port ?? 0)")
    }

    /// The URL without a path.
    public var description: String { rawValue }

    /// The value of `Origin` that a browser sends from a page of the service.
    package var origin: String { rawValue }

    /// Whether only this machine can be meant.
    package var isLoopback: Bool { Self.isLoopback(host) }

    /// Returns the URL of a path of the service.
    /// - Parameter path: begins with a slash.
    package func appending(_ path: String) -> String { rawValue + path }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "127.0.0.1" || host == "[::1]"
    }

    private static func split(_ authority: String) -> (host: String, port: Int?)? {
        var host = authority[...]
        var port: Int?
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            port = Int(number)
            host = authority[..<colon]
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isIPv6 ? host.dropFirst().dropLast() : host
        let allowed: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"): !isIPv6 || byte == UInt8(ascii: ".")
            case UInt8(ascii: ":"): isIPv6
            default: false
            }
        }
        guard !name.isEmpty, name.utf8.allSatisfy(allowed) else { return nil }
        return (String(host), port)
    }
}
