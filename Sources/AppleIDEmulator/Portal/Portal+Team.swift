public import AppleIDTypes

extension Portal {
    /// A developer team: the border within which a person has one subject and one relay address.
    public struct Team: Hashable, Sendable, Codable {
        public var id: TeamID
        public var name: String
        public var apps: [App]
        /// True for the team of a single developer, whom Apple allows less; nil: an organization.
        public var individual: Bool?
        /// What the team may send mail to relay addresses from: 100 at most, 32 of an individual. Nil: nothing.
        public var emailSources: [EmailSource]?

        public init(id: TeamID, name: String, apps: [App], emailSources: [EmailSource]? = nil) {
            self.id = id
            self.name = name
            self.apps = apps
            self.emailSources = emailSources
        }
    }
}
