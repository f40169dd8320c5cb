/// Why a new password is not taken, as the details of an error: `{"reason", "minimumLength"}`.
public struct RefusedPassword: Hashable, Sendable, Codable {
    /// The kind of a reason. A newer server may send others.
    public struct Reason: RawRepresentable, Hashable, Sendable, Codable {
        /// The value as the response spells it.
        public let rawValue: String

        /// Makes a value, known or not, from its spelling in a response.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The password has fewer characters than ``RefusedPassword/minimumLength``.
        public static let tooShort = Self(rawValue: "too_short")
        /// The password has more than 128 characters.
        public static let tooLong = Self(rawValue: "too_long")
        /// The password is on the list of common ones.
        public static let common = Self(rawValue: "common")
        /// The password is made of the person's name or address, or of the name or address of the service.
        public static let personal = Self(rawValue: "personal")
    }

    /// The reason.
    public var reason: Reason
    /// The fewest characters of a new password.
    public var minimumLength: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(reason: Reason, minimumLength: Int) {
        self.reason = reason
        self.minimumLength = minimumLength
    }
}
