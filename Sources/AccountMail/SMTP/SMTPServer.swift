/// The address of a mail server, and how a connection to it is protected.
///
/// Two forms: `smtps://user@host:465` begins with TLS. `smtp://user@host:587` begins in plain text, and goes on with
/// TLS by STARTTLS; a server that doesn't offer STARTTLS gets neither password nor mail. Only a server on this machine
/// (`localhost`, 127.0.0.0/8 or `::1`) is spoken to in plain text, and only without a user.
public struct SMTPServer: Hashable, Sendable {
    /// The host's name or IP address, without the brackets of an IPv6 address.
    public let host: String
    /// The port: 465 for `smtps`, 587 for `smtp`, and 25 for plain text on this machine, unless the URL names another.
    public let port: Int
    /// The user of the server, if the URL names one.
    public let user: String?
    package let security: Security

    /// How a connection is protected.
    package enum Security: Hashable, Sendable {
        /// TLS from the first byte.
        case tls
        /// TLS after STARTTLS, and nothing without it.
        case startTLS
        /// Plain text, on this machine alone.
        case plain

        fileprivate var usualPort: Int {
            switch self {
            case .tls: 465
            case .startTLS: 587
            case .plain: 25
            }
        }
    }

    /// Reads the server from a URL.
    /// - Parameter url: such as `smtps://user@mail.example.com`. A user's name may hold `@`, as it is or as `%40`.
    /// - Throws: `AccountMailError` with ``AccountMailError/Code/invalidServer``.
    public init(_ url: String) throws(AccountMailError) {
        guard let mark = url.firstRange(of: "://") else { throw Self.invalid("it has no scheme") }
        let scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "smtp" || scheme == "smtps" else { throw Self.invalid("its scheme is neither smtp nor smtps") }
        var rest = url[mark.upperBound...]
        if rest.last == "/" { rest.removeLast() }
        guard !rest.contains(where: { "/?#".contains($0) }) else {
            throw Self.invalid("it has more than user, host and port")
        }
        if let end = rest.lastIndex(of: "@") {
            user = try Self.user(rest[..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            user = nil
        }
        let (host, port) = try Self.hostAndPort(rest)
        self.host = host
        if scheme == "smtps" {
            security = .tls
        } else {
            security = Self.isLoopback(host) && user == nil ? .plain : .startTLS
        }
        self.port = port ?? security.usualPort
    }

    private static func user(_ text: Substring) throws(AccountMailError) -> String {
        guard !text.contains(":") else {
            throw invalid("it holds a password; give the password in a setting of its own")
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                throw invalid("its user has a % without two hexadecimal digits")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        let user = String(decoding: bytes, as: UTF8.self)
        guard (1...255).contains(bytes.count), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), Array(user.utf8) == bytes
        else { throw invalid("its user is empty, too long, or no text") }
        return user
    }

    private static func hostAndPort(_ text: Substring) throws(AccountMailError) -> (String, Int?) {
        var rest = text
        let host: Substring
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw invalid("its IPv6 address has no end") }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            guard !host.isEmpty, host.utf8.allSatisfy({ isHexDigit($0) || $0 == UInt8(ascii: ":") }) else {
                throw invalid("it has no IPv6 address between the brackets")
            }
        } else {
            let end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = rest[..<end]
            rest = rest[end...]
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isHostByte) else {
                throw invalid("its host is empty, or has other characters than letters, digits, dots and hyphens")
            }
        }
        guard !rest.isEmpty else { return (host.lowercased(), nil) }
        let digits = rest.dropFirst()
        guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(isDigit),
            let port = UInt16(digits), port > 0
        else { throw invalid("its port is no number from 1 to 65535") }
        return (host.lowercased(), Int(port))
    }

    private static func invalid(_ problem: String) -> AccountMailError {
        AccountMailError(.invalidServer, "the mail server's URL is wrong: \(problem)")
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
