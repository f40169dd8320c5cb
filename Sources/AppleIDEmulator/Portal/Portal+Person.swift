import AppleIDTypes

extension Portal {
    /// A person with an Apple Account, made up like everything else here.
    public struct Person: Hashable, Sendable, Codable {
        /// The id by which control calls name the person. Subjects are derived from it, so it should not change.
        public var id: String
        /// The account's own address, and the first one that the sheet offers to share. May be empty for an account
        /// that an organization manages; then no app gets an address.
        public var email: String
        /// The name of the person. The sheet proposes the part before the last space as the first name, and the rest as
        /// the last name.
        public var name: String
        /// Further addresses of the account, which the sheet offers beside ``email``. Nil for none.
        public var otherEmails: [String]?
        /// The password that the password step wants; nil for any that is not empty. It matters only if
        /// ``EmulatorConfiguration/asksPassword`` is true.
        public var password: String?
        /// Whether the account has two-factor authentication. Nil means that it has. Without it the person can't sign
        /// in to any app.
        public var twoFactor: Bool?
        /// The `org_id` of an account that a school or a business manages. Such an account has no relay address.
        public var organizationID: String?
        /// The claim `email_verified`. It may be false for managed accounts. Nil means true.
        public var emailVerified: Bool?
        /// Whether the account is a child's. Tokens don't say so; a device may. Nil if it is not known.
        public var child: Bool?
        /// The domain of the person's relay addresses. Nil for ``Behaviour/relayDomain``.
        public var relayDomain: RelayDomain?
        /// The number of times that the relay address for a team changed. ``EmulatorState`` fills it in.
        var relayGenerations: [TeamID: Int] = [:]
        /// The number of accounts with this id that were deleted. ``EmulatorState`` fills it in.
        var accountGeneration = 0

        private enum CodingKeys: String, CodingKey {
            case id, email, name, otherEmails, password, twoFactor, organizationID, emailVerified, child, relayDomain
        }

        /// Creates a person.
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

extension Portal {
    /// A domain of relay addresses. Apple has used three.
    public struct RelayDomain: RawRepresentable, CaseIterable, Hashable, Sendable, Codable {
        private enum Word: String, CaseIterable, Codable {
            case classic = "privaterelay.appleid.com"
            case iCloud = "icloud.com"
            case privateICloud = "private.icloud.com"
        }

        private let word: Word

        private init(word: Word) {
            self.word = word
        }

        /// Returns nil for a domain that is none of the three.
        public init?(rawValue name: String) {
            guard let word = Word(rawValue: name) else { return nil }
            self.word = word
        }

        /// Reads the domain's name.
        public init(from decoder: any Decoder) throws {
            word = try Word(from: decoder)
        }

        /// Writes the domain's name.
        public func encode(to encoder: any Encoder) throws {
            try word.encode(to: encoder)
        }

        /// The domain's name, as it stands behind the `@`.
        public var rawValue: String { word.rawValue }

        /// The three domains, the oldest first.
        public static let allCases = Word.allCases.map { Self(word: $0) }

        /// `privaterelay.appleid.com`, the domain of every address that is older than 2026.
        public static let classic = Self(word: .classic)
        /// `icloud.com`, the domain of addresses that iCloud+ makes.
        public static let iCloud = Self(word: .iCloud)
        /// `private.icloud.com`, which Apple announced in June 2026 for all new addresses.
        public static let privateICloud = Self(word: .privateICloud)
    }
}
