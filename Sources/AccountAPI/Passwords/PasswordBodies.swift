/// The body of `POST /v1/password/forgotten`: the person wants a mail with a link that sets a new password. The response
/// is an ``AcceptedAnswer`` whatever the address is.
public struct ForgottenPasswordRequest: Hashable, Sendable, Codable {
    /// The email address.
    public var email: String

    /// Creates the body of a call.
    public init(email: String) {
        self.email = email
    }
}

/// The body of `POST /v1/password/reset`: sets a new password by the link from a mail, and ends every session of the
/// account. The response is an ``AcceptedAnswer``.
public struct PasswordResetRequest: Hashable, Sendable, Codable {
    /// The secret in the link: the last part of its path.
    public var link: String
    /// The new password.
    public var password: String

    /// Creates the body of a call.
    public init(link: String, password: String) {
        self.link = link
        self.password = password
    }
}

/// The body of `POST /v1/password`: changes the password of the session's account. The response is an
/// ``AcceptedAnswer``.
public struct PasswordChangeRequest: Hashable, Sendable {
    /// The present password. Null only if the person signs in by links alone and has no password yet. Then the call needs
    /// a recent sign-in.
    public var currentPassword: String?
    /// The password that replaces the present one, as the person typed it.
    public var newPassword: String
    /// Whether the person's other sessions end.
    public var endOtherSessions: Bool

    /// Creates the body of a call.
    public init(currentPassword: String?, newPassword: String, endOtherSessions: Bool) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
        self.endOtherSessions = endOtherSessions
    }
}

extension PasswordChangeRequest: Codable {
    private enum CodingKeys: String, CodingKey { case currentPassword, newPassword, endOtherSessions }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(currentPassword, forKey: .currentPassword)
        try container.encode(newPassword, forKey: .newPassword)
        try container.encode(endOtherSessions, forKey: .endOtherSessions)
    }
}

/// The body of `POST /v1/reauthenticate/password`: proves again who holds the session. The response is a
/// ``ReauthenticationAnswer``.
public struct PasswordReauthenticationRequest: Hashable, Sendable, Codable {
    /// The password of the session's account.
    public var password: String

    /// Creates the body of a call.
    public init(password: String) {
        self.password = password
    }
}

/// The rule that a password broke, as the details of an error: `{"reason", "minimumLength"}`.
public struct PasswordRefusal: Hashable, Sendable, Codable {
    /// The rule that a password broke. Later versions may add values.
    public struct Reason: RawRepresentable, Hashable, Sendable, Codable {
        /// The value as the response spells it.
        public let rawValue: String

        /// Makes a value, known or not, from its spelling in a response.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The password has fewer characters than ``PasswordRefusal/minimumLength``.
        public static let tooShort = Self(rawValue: "too_short")
        /// The password has more than 128 characters or 1,024 bytes.
        public static let tooLong = Self(rawValue: "too_long")
        /// The password is on a list of common ones.
        public static let common = Self(rawValue: "common")
        /// The password is like the person's name, their address or the name of the service.
        public static let personal = Self(rawValue: "personal")
    }

    /// The rule that the password broke.
    public var reason: Reason
    /// The fewest characters that a password may have.
    public var minimumLength: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(reason: Reason, minimumLength: Int) {
        self.reason = reason
        self.minimumLength = minimumLength
    }
}
