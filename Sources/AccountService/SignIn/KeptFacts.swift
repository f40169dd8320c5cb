/// What was kept of a sign-in that did not get to its end: all that Apple may give only once.
public struct KeptFacts: Hashable, Sendable {
    /// An address of Apple's own token, never one that a client merely says.
    public struct Address: Hashable, Sendable, Codable {
        public var email: String
        public var isVerified: Bool
        public var isPrivate: Bool

        public init(email: String, isVerified: Bool, isPrivate: Bool) {
            self.email = email
            self.isVerified = isVerified
            self.isPrivate = isPrivate
        }
    }

    public var name: PersonName?
    /// Taken only where the later sign-in brings no address.
    public var address: Address?

    public init(name: PersonName?, address: Address? = nil) {
        self.name = name
        self.address = address
    }
}
