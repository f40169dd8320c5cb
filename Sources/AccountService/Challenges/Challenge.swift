/// A nonce that this server made and will accept once, for one purpose.
public struct Challenge: Hashable, Sendable {
    /// What a challenge may be used for.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let signIn = Self(rawValue: "sign_in")
        public static let reauthenticate = Self(rawValue: "reauthenticate")
        public static let delete = Self(rawValue: "delete")

        /// All purposes that a client can ask for.
        public static let all: [Purpose] = [.signIn, .reauthenticate, .delete]

        /// The number that a challenge carries for its purpose; nil for a purpose that no client can ask for.
        ///
        /// A number is never given to another purpose. 1 was `link`: servers made such challenges, and no call took them.
        var number: UInt8? {
            switch self {
            case .signIn: 0
            case .reauthenticate: 2
            case .delete: 3
            default: nil
            }
        }
    }

    /// To be given to Apple as it is, or as its lowercase hexadecimal SHA-256.
    public var nonce: String
    public var expiresAt: Timestamp
}
