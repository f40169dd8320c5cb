public import AppleIDTypes

extension Portal {
    /// An App ID. With its Services IDs, keys, and the secondary App IDs that name it, a primary one forms a group.
    ///
    /// A group shares people's consent: who has signed in to one of its members is asked for nothing by the others.
    public struct App: Hashable, Sendable, Codable {
        /// The bundle identifier, and the client of native sign-ins.
        public var id: ClientID
        /// What the sheet shows to people.
        public var name: String
        /// The App ID this one is grouped with; nil for a primary App ID, and then left out of the JSON.
        public var primary: ClientID?
        /// Only a primary App ID has any.
        public var services: [Service]
        /// Only a primary App ID has any; they serve the whole group, and no other.
        public var keys: [Key]
        /// Where notifications about people's accounts go, for the whole group; nil: nowhere. Only a primary App ID has
        /// one: `https`, or `http` to this machine and to the portal's ``Portal/plainNotificationHosts``.
        public var notificationURL: String?

        public init(
            id: ClientID, name: String, primary: ClientID? = nil, services: [Service] = [], keys: [Key] = [],
            notificationURL: String? = nil
        ) {
            self.id = id
            self.name = name
            self.primary = primary
            self.services = services
            self.keys = keys
            self.notificationURL = notificationURL
        }
    }
}
