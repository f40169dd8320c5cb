/// What Apple's devices would say of a person's credential (`getCredentialState`), as far as this service knows.
public struct CredentialState: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let authorized = Self(rawValue: "authorized")
    /// The person stopped using the app: sign them out.
    public static let revoked = Self(rawValue: "revoked")
    /// Nobody of this id is known to the caller's account, or their Apple Account is gone.
    public static let notFound = Self(rawValue: "notFound")
}
