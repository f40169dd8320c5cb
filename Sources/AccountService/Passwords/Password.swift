public import AppleIDTypes
import Foundation

/// A password as a person typed it, in the form in which passwords are compared.
///
/// The form is RFC 8265's OpaqueString: each space of Unicode becomes an ASCII space, and the text is normalised to
/// NFC, so that two keyboards that write `é` differently write one password. Case and everything else stay. A
/// password may have any characters; ``PasswordRules`` says which passwords are taken.
public struct Password: Sendable, Redacted {
    /// The text in the form above.
    package let text: String

    /// Makes a password of what a person typed.
    public init(_ text: String) {
        self.text =
            String(String.UnicodeScalarView(text.unicodeScalars.lazy.map(Self.withoutWidth)))
            .precomposedStringWithCanonicalMapping
    }

    /// The number of characters, as NIST SP 800-63B counts them: a code point of Unicode is one.
    package var length: Int { text.unicodeScalars.count }

    private static func withoutWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.properties.generalCategory == .spaceSeparator ? " " : scalar
    }
}
