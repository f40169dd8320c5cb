/// A path of this site, to which a browser returns after a sign-in: never another site's.
///
/// It begins with exactly one `/`; `//`, `/\` and the like are addresses of other hosts to a browser, and control
/// characters vanish when it reads a URL.
public struct ReturnPath: RawRepresentable, Hashable, Sendable {
    /// The greatest number of bytes in a path.
    public static let maximumLength = 2_048
    /// The page of the account.
    public static let account = Self(ofOwnPage: "/account")

    /// The path, with its query.
    public let rawValue: String

    /// Returns nil for a text that is no path of this site, or is too long.
    public init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maximumLength else { return nil }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        guard !rawValue.contains("//") else { return nil }
        self.rawValue = rawValue
    }

    /// Names a page of the service itself. A text that is no path of this site ends the program: it is a mistake in its code.
    package init(ofOwnPage text: StaticString) {
        guard let path = Self(rawValue: "\(text)") else { preconditionFailure("\(text) is no path of a page") }
        self = path
    }
}
