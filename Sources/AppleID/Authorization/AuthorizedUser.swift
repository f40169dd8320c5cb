public import AppleIDTypes
import StrictJSON

/// What the `user` field of a first authorization says. It passed through the browser unsigned: good for a name to
/// show, never for identity. Printing or mirroring it shows neither name nor address.
public struct AuthorizedUser: Hashable, Sendable, Redacted {
    /// As the person wrote it, which they may have changed on the way; at most 512 bytes.
    public let firstName: String?
    /// The same.
    public let lastName: String?
    /// As the browser says. The address that counts is the identity token's.
    public let email: String?

    /// For tests, and for apps that send what the credential had; nothing is cleaned here.
    public init(firstName: String?, lastName: String?, email: String?) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
    }

    /// Apple's "Request an authorization to the Sign in with Apple server": a JSON object inside a form field.
    ///
    /// Names lose control characters and what surrounds them; a part of another type, or longer than any name, is
    /// absent.
    init?(json: String) {
        let root: JSONValue
        do {
            root = try JSONDocument(json.utf8, limits: JSONLimits(maximumBytes: 8_192, maximumDepth: 8)).root
        } catch {
            // The reason concerns nobody: it is the sender's, and the sender is a browser.
            return nil
        }
        guard root.kind == .object else { return nil }
        firstName = root["name"]?["firstName"]?.string.flatMap(Self.cleaned)
        lastName = root["name"]?["lastName"]?.string.flatMap(Self.cleaned)
        email = root["email"]?.string.flatMap(Self.cleaned)
    }

    private static func cleaned(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.filter { !isDisturbing($0) })
        let trimmed = String(kept).drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let result = String(trimmed[...last])
        return result.utf8.count <= 512 ? result : nil
    }

    /// Control characters, line separators, and the marks that turn the direction of the text around a name.
    private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
