import AccountAPI
public import Foundation

/// A link from a mail of the account service's, which works once and for fifteen minutes.
///
/// It is a secret: its description doesn't show it.
public struct EmailLink: Hashable, Sendable {
    /// The last part of the link's path.
    let secret: String

    /// Makes a link of its URL, as the mail has it.
    /// - Returns: nil for a URL that is no such link.
    public init?(_ url: URL) {
        guard let secret = Self.secret(in: url) else { return nil }
        self.secret = secret
    }

    /// Makes a link of what a person has copied: the whole link, or the last part of it.
    /// - Returns: nil for a text that is no such link.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let secret = Self.secret(text[...]) ?? URL(string: text).flatMap(Self.secret(in:)) else { return nil }
        self.secret = secret
    }

    private static func secret(in url: URL) -> String? {
        let parts = url.path().split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "email-links" else { return nil }
        return secret(parts[parts.count - 1])
    }

    /// A secret is long and has only the letters of base64url (RFC 4648, section 5).
    private static func secret(_ text: Substring) -> String? {
        let isSecret = text.utf8.count >= 20 && text.unicodeScalars.allSatisfy(Self.alphabet.contains)
        return isSecret ? String(text) : nil
    }

    private static let alphabet = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}

extension EmailLink: CustomStringConvertible, CustomReflectable {
    /// A fixed text without the secret.
    public var description: String { "EmailLink" }

    /// Nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The things that an account service says about a link before the link is used.
public struct EmailLinkDetails: Hashable, Sendable {
    /// The thing that a link does. Newer services may know more.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        /// The account service's word.
        public let rawValue: String

        /// Makes a purpose of the account service's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The link completes a sign-up, see ``AccountClient/finishSignUp(link:password:)``.
        public static let signUp = Self(rawValue: "sign_up")
        /// The link signs in, see ``AccountClient/finishSignIn(link:email:)``.
        public static let signIn = Self(rawValue: "sign_in")
        /// The link sets a new password, see ``AccountClient/finishReset(link:newPassword:)``.
        public static let reset = Self(rawValue: "reset")
        /// The link adds the address to the account of the session that asked, see ``AccountClient/finishLink(_:)``.
        public static let link = Self(rawValue: "link")
    }

    /// The thing that the link does.
    public let purpose: Purpose
    /// The time from which on the link doesn't work.
    public let expiresAt: Date
    /// Whether the person must type the address to which the link was sent: always to sign in, and beside a new password to
    /// complete a sign-up.
    public let needsEmail: Bool

    init(_ answer: EmailLinkAnswer) {
        purpose = Purpose(rawValue: answer.purpose.rawValue)
        expiresAt = answer.expiresAt.date
        needsEmail = answer.needsEmail
    }
}
