/// An identifier of ours: a prefix that says of what, and 128 bits that sort by time. Opaque to everyone else.
///
/// The bits are 48 of milliseconds since 1970 and 80 of randomness, written as 26 characters of Crockford's base 32 in
/// lower case, so that rows written one after another lie beside each other in an index.
package protocol ResourceID: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
    /// The characters that each of these identifiers begins with, such as `acc_`.
    static var prefix: String { get }

    /// Takes an identifier as the database or an earlier answer has it, unchecked.
    init(rawValue: String)
}

extension ResourceID {
    /// The text itself, as logs show it.
    public var description: String { rawValue }

    /// A new identifier.
    /// - Parameter randomness: ten bytes from a cryptographic source.
    package init(at moment: Timestamp, randomness: [UInt8]) {
        precondition(randomness.count == 10)
        let milliseconds = UInt64(max(0, moment.microseconds / 1_000))
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) }
        bytes += randomness
        self.init(rawValue: Self.prefix + Base32.encode(bytes))
    }

    /// Reads an identifier that a client sent; nil when the text cannot be one. So nothing unchecked reaches a
    /// statement.
    package init?(received text: some StringProtocol) {
        guard text.utf8.count == Self.prefix.utf8.count + 26, text.hasPrefix(Self.prefix) else { return nil }
        guard text.utf8.dropFirst(Self.prefix.utf8.count).allSatisfy(Base32.isDigit) else { return nil }
        self.init(rawValue: String(text))
    }
}

/// Crockford's base 32 in lower case, most significant bits first, without padding.
enum Base32 {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                digits.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 {
            digits.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        alphabet.contains(byte)
    }
}

/// The identifier of an account (`acc_…`).
public struct AccountID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "acc_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of an identity (`idn_…`): of a person at one provider.
public struct IdentityID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "idn_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that a client sent; nil when the text cannot be one.
    package init?(receivedText text: String) {
        self.init(received: text)
    }
}

/// The provider that knows a person. The text is stored with each identity.
package struct IdentityProvider: RawRepresentable, Hashable, Sendable {
    package static let apple = Self(rawValue: "apple")
    /// The person proves that mail to an address reaches them: an email identity.
    package static let email = Self(rawValue: "email")

    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a refresh token of Apple's (`atk_…`). The seal of the token is bound to it.
package struct AppleTokenID: ResourceID {
    package static let prefix = "atk_"
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a session (`ses_…`).
public struct SessionID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "ses_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that a client sent; nil when the text cannot be one.
    package init?(receivedText text: String) {
        self.init(received: text)
    }
}

/// The identifier of an app's authorization (`aut_…`): the `state` that comes back in a redirect.
///
/// Unlike other identifiers it is random as a whole, because it opens the page that leads to Apple.
public struct AuthorizationID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "aut_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that a browser or an app sent; nil when the text cannot be one.
    package init?(receivedText text: String) {
        self.init(received: text)
    }
}

/// The name under which an app asks this service: one of the configured ones, chosen by the operator.
public struct AppID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as the operator has configured it.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes the name from the configuration.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    /// Takes a literal as it is, without a check.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text itself, as logs show it.
    public var description: String { rawValue }
}

/// The identifier of an entry of the outbox (`out_…`). The seal of the entry is bound to it.
///
/// The entry for a refresh token of Apple's has the token's own id (`atk_…`), so that the sealed token moves into the
/// outbox as it is and a transaction needs no key.
package struct OutboxID: ResourceID {
    package static let prefix = "out_"
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of an entry of the audit log (`aud_…`).
package struct AuditID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "aud_"
    /// The text of the identifier, with its prefix.
    package let rawValue: String

    /// Takes the text as it is, without a check.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// One consent of an account (`con_…`), time-ordered.
public struct ConsentID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "con_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that a client sent; nil when the text cannot be one.
    package init?(receivedText text: String) {
        self.init(received: text)
    }
}

/// One notice of an account (`msg_…`), time-ordered: the `webhook-id`.
public struct AccountNoticeID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "msg_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// One mail (`mail_…`), time-ordered. A repeat of the same mail has the same identifier.
public struct MailID: ResourceID {
    /// The characters that each of these identifiers begins with.
    package static let prefix = "mail_"
    /// The text of the identifier, with its prefix.
    public let rawValue: String

    /// Takes the text as it is, without a check.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads an identifier that an operator typed; nil when the text cannot be one.
    package init?(receivedText text: String) {
        self.init(received: text)
    }
}

/// The identifier of a key of this server's own (`key_…`): the `kid` of access tokens.
package struct ServerKeyID: ResourceID {
    package static let prefix = "key_"
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a one-time link in a mail (`eml_…`). The seal of the link is bound to it. The link itself has a secret.
package struct EmailLinkID: ResourceID {
    package static let prefix = "eml_"
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a person's row in a transfer (`trf_…`).
package struct TransferID: ResourceID {
    package static let prefix = "trf_"
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
