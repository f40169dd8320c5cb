/// A nonce that this server made and will accept once, for one purpose.
public struct Challenge: Hashable, Sendable {
    /// What a challenge may be used for.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let signIn = Self(rawValue: "sign_in")
        public static let link = Self(rawValue: "link")
        public static let reauthenticate = Self(rawValue: "reauthenticate")
        public static let delete = Self(rawValue: "delete")

        /// All purposes that a client can ask for. A challenge carries its place in this list: append only.
        public static let all: [Purpose] = [.signIn, .link, .reauthenticate, .delete]
    }

    /// To be given to Apple as it is, or as its lowercase hexadecimal SHA-256.
    public var nonce: String
    public var expiresAt: Timestamp
}
