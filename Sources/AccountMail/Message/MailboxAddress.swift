import AccountService

/// An address that may stand in SMTP commands and in header fields: nothing in it can end a command, a field or the
/// brackets around it.
///
/// The local part is a dot-string or a quoted string (RFC 5321 §4.1.2), with any letters of Unicode (RFC 6531 §3.3). The
/// domain consists of labels; an IP address in brackets is refused.
struct MailboxAddress: Hashable, Sendable, CustomStringConvertible {
    let localPart: String
    let domain: String

    /// The address as it stands in commands and fields. Personal data.
    var description: String { "\(localPart)@\(domain)" }

    var isASCII: Bool { description.utf8.allSatisfy { $0 < 0x80 } }

    /// The address with its domain in ASCII, as IDNA writes it. Any mail server takes this spelling, and one beyond ASCII only
    /// a server that offers SMTPUTF8 (RFC 6531 §3.2).
    ///
    /// An address whose local part isn't ASCII stays as it is, because its mail needs SMTPUTF8 anyway. So does one whose
    /// domain IDNA refuses.
    var withASCIIDomain: Self {
        guard !isASCII, localPart.utf8.allSatisfy({ $0 < 0x80 }), let ascii = EmailForm.asciiDomain(domain) else {
            return self
        }
        return Self("\(localPart)@\(ascii)") ?? self
    }

    /// Nil for anything that is not exactly such an address.
    init?(_ text: String) {
        guard text.utf8.count <= 254, let end = text.unicodeScalars.lastIndex(of: "@") else { return nil }
        let (local, domain) = (text.unicodeScalars[..<end], text.unicodeScalars[end...].dropFirst())
        guard (1...64).contains(String(local).utf8.count), Self.isDotString(local) || Self.isQuoted(local),
            Self.isDomain(domain)
        else { return nil }
        localPart = String(local)
        self.domain = String(domain)
    }

    private static func isDotString(_ text: Substring.UnicodeScalarView) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty
                && atom.allSatisfy {
                    EmailAddress.isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains($0)
                }
        }
    }

    private static func isQuoted(_ text: Substring.UnicodeScalarView) -> Bool {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return false }
        var isEscaped = false
        for scalar in text.dropFirst().dropLast() {
            guard (0x20..<0x7F).contains(scalar.value) || !scalar.isASCII && EmailAddress.isLetterOrDigit(scalar) else {
                return false
            }
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                return false
            }
        }
        return !isEscaped
    }

    private static func isDomain(_ text: Substring.UnicodeScalarView) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != "-" && label.last != "-"
                && label.allSatisfy { EmailAddress.isLetterOrDigit($0) || $0 == "-" }
        }
    }
}
