import AppleIDTypes

extension Portal {
    /// Somebody with an Apple Account, made up like the rest.
    public struct Person: Hashable, Sendable, Codable {
        /// What the control calls name them by. Subjects are derived from it, so it should not change.
        public var id: String
        /// The account's own address, and the first one that the sheet offers to share. May be empty for an account
        /// that an organization manages; then no app gets an address.
        public var email: String
        /// The sheet proposes what stands before the last space as first name, and the rest as last name.
        public var name: String
        /// Further addresses of the account, which the sheet offers beside ``email``.
        public var otherEmails: [String]?
        /// What the password step wants; nil: anything that is not empty. Looked at only where the emulator asks at all
        /// (``EmulatorConfiguration/asksPassword``).
        public var password: String?
        /// False: an account without two-factor authentication, which Apple lets sign in to no app. Nil: it has it.
        public var twoFactor: Bool?
        /// `org_id` of a managed account of a school or a business. Such an account has no relay address.
        public var organizationID: String?
        /// False: `email_verified` is false, as it may be for managed accounts. Nil: it is true.
        public var emailVerified: Bool?
        /// An account of a child. Tokens do not say so; a device may.
        public var child: Bool?
        /// Where this person's relay addresses end; nil: where they usually do, which a quirk can change.
        public var relayDomain: RelayDomain?
        /// How often the relay address for a team became another one. What people did is no part of a portal.
        var relayGenerations: [TeamID: Int] = [:]
        /// How many accounts with this id were deleted: this one is another, and is known by other names.
        var accountGeneration = 0

        private enum CodingKeys: String, CodingKey {
            case id, email, name, otherEmails, password, twoFactor, organizationID, emailVerified, child, relayDomain
        }

        public init(
            id: String, email: String, name: String, otherEmails: [String]? = nil, password: String? = nil,
            twoFactor: Bool? = nil, organizationID: String? = nil, emailVerified: Bool? = nil, child: Bool? = nil,
            relayDomain: RelayDomain? = nil
        ) {
            self.id = id
            self.email = email
            self.name = name
            self.otherEmails = otherEmails
            self.password = password
            self.twoFactor = twoFactor
            self.organizationID = organizationID
            self.emailVerified = emailVerified
            self.child = child
            self.relayDomain = relayDomain
        }

        var proposedName: (first: String, last: String) {
            guard let space = name.lastIndex(of: " ") else { return (name, "") }
            return (String(name[..<space]), String(name[name.index(after: space)...]))
        }

        /// The addresses that this person can share, the account's own first.
        var addresses: [String] { ([email] + (otherEmails ?? [])).filter { !$0.isEmpty } }

        static let maximumOtherEmails = 20

        var isManaged: Bool { organizationID != nil }
    }
}
