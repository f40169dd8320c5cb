/// Scheme, host and port of a URL that has nothing else.
package struct ServerOrigin {
    package let scheme: Substring
    /// The host, without the brackets of an IPv6 address.
    package let host: Substring
    package let port: UInt16?

    /// Nil for anything that is not exactly `scheme://host` or `scheme://host:port`, in lower case and ASCII.
    package init?(_ text: String) {
        guard let mark = text.firstRange(of: "://"), text.utf8.count <= 255 else { return nil }
        scheme = text[..<mark.lowerBound]
        var rest = text[mark.upperBound...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            guard !host.isEmpty, host.utf8.allSatisfy({ Self.isHexDigit($0) || $0 == UInt8(ascii: ":") }) else {
                return nil
            }
            rest = rest[rest.index(after: end)...]
        } else {
            let end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = rest[..<end]
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { return nil }
            rest = rest[end...]
        }
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit),
                let number = UInt16(digits), number > 0
            else { return nil }
            port = number
        }
    }

    /// `https`, or `http` on this machine.
    package var isAcceptable: Bool {
        scheme == "https" || scheme == "http" && isLoopback
    }

    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(Self.isDigit) && UInt8($0) != nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
