extension Portal {
    /// Somebody with an Apple Account, made up like the rest.
    public struct Person: Hashable, Sendable, Codable {
        /// What the control calls name them by. Subjects are derived from it, so it should not change.
        public var id: String
        public var email: String
        /// The sheet proposes what stands before the last space as first name, and the rest as last name.
        public var name: String

        public init(id: String, email: String, name: String) {
            self.id = id
            self.email = email
            self.name = name
        }

        var proposedName: (first: String, last: String) {
            guard let space = name.lastIndex(of: " ") else { return (name, "") }
            return (String(name[..<space]), String(name[name.index(after: space)...]))
        }
    }
}
