/// Which new passwords the service takes.
public struct PasswordRules: Sendable {
    /// The most characters of a password.
    public static let maximumLength = 128

    /// The fewest characters of a new password.
    public let minimumLength: Int

    /// - Parameters:
    ///   - serviceName: The name of the service, as people know it, if it has one.
    ///   - host: The host of the public URL.
    package init(minimumLength: Int, serviceName: String?, host: String) {
        self.minimumLength = minimumLength
    }

    /// Refuses a password that is too short, too long, common, or made of what others know about the person. It looks at
    /// nothing else, so that the answer tells nothing about who has an account.
    /// - Throws: ``AccountError/Code/passwordRefused`` with ``AccountError/refusal``;
    ///   ``AccountError/Code/invalidText`` for U+0000.
    public func check(_ password: Password, name: PersonName?, email: String?) throws(AccountError) {
    }
}

/// Why a new password is not taken.
public struct PasswordRefusal: Hashable, Sendable {
    /// The kind of a reason.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Fewer characters than ``PasswordRefusal/minimumLength``.
        case tooShort = "too_short"
        /// More characters than ``PasswordRules/maximumLength``.
        case tooLong = "too_long"
        /// On the list of common passwords.
        case common
        /// Made of the person's name or address, or of the name or address of the service.
        case personal
    }

    /// The reason.
    public let reason: Reason
    /// The fewest characters of a new password.
    public let minimumLength: Int

    package init(_ reason: Reason, minimumLength: Int) {
        self.reason = reason
        self.minimumLength = minimumLength
    }

    var explanation: String {
        switch reason {
        case .tooShort: "a password has at least \(minimumLength) characters"
        case .tooLong: "a password has at most \(PasswordRules.maximumLength) characters"
        case .common: "this password is on the list of common ones"
        case .personal: "this password is made of the name or address of the person or the service"
        }
    }
}
