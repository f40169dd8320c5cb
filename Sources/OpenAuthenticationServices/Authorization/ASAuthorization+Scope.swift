extension ASAuthorization {
    /// Something about the person that a request asks for.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        public static let fullName = Self("full_name")
        public static let email = Self("email")
    }
}
