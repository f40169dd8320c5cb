/// What became of a notification of Apple's.
public struct NotificationOutcome: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    public static let applied = Self(rawValue: "applied")
    /// It says what was known.
    public static let unchanged = Self(rawValue: "unchanged")
    /// The person has signed in, or Apple has said otherwise, since it happened.
    public static let outdated = Self(rawValue: "outdated")
    /// This service revoked the person's token itself.
    public static let expected = Self(rawValue: "expected")
    /// Nobody here has this subject.
    public static let unknownSubject = Self(rawValue: "unknown_subject")
    /// Nobody here knows what the type means.
    public static let unknownType = Self(rawValue: "unknown_type")
}
