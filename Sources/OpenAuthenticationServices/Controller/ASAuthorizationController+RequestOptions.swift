extension ASAuthorizationController {
    /// How requests are performed.
    public struct RequestOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Answers at once with a credential that needs no asking, or with
        /// ``ASAuthorizationError/Code/canceled``: no browser is opened.
        public static let preferImmediatelyAvailableCredentials = Self(rawValue: 1 << 0)
    }
}
