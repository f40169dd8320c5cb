extension ASAuthorization {
    /// What a request wants done.
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whatever suits; the only one with reliable behaviour on Apple's platforms too.
        public static let operationImplicit = Self("implicit")
        /// As ``operationImplicit``.
        public static let operationLogin = Self("login")
        /// Answered without asking the person, or not at all.
        public static let operationRefresh = Self("refresh")
        /// Refused with ``ASAuthorizationError/Code/notHandled``: to sign out is the app's own affair.
        public static let operationLogout = Self("logout")
    }
}
