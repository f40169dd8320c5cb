public import AppleIDTypes
import Crypto

/// The content of Apple's developer portal and of its accounts: teams with their apps, and people.
///
/// Its JSON is the answer of `GET /emulator/portal`: everything that a relying party must configure, private keys
/// included.
public struct Portal: Hashable, Sendable, Codable {
    /// The URL at which clients reach the emulator.
    public var baseURL: String
    /// The issuer of the emulator's tokens.
    public var issuer: String
    /// The developer teams.
    public var teams: [Team]
    /// The people who have an Apple Account.
    public var people: [Person]
    /// Hosts beside `localhost`, `127.0.0.1` and `[::1]` that notifications may be sent to over plain `http`, such as
    /// the name of a container. Without this list a portal cannot make the emulator write to a neighbour's service.
    public var plainNotificationHosts: [String]?

    /// Creates a portal. `Registry` checks what its parts mean together when an emulator starts with it.
    public init(
        baseURL: String, issuer: String, teams: [Team], people: [Person], plainNotificationHosts: [String]? = nil
    ) {
        self.baseURL = baseURL
        self.issuer = issuer
        self.teams = teams
        self.people = people
        self.plainNotificationHosts = plainNotificationHosts
    }

    /// Whether the emulator may send a request there by itself.
    func allowsCalls(to address: WebAddress) -> Bool {
        address.scheme == "https" || address.isLoopback || plainNotificationHosts?.contains(address.host) == true
    }
}

extension Portal {
    /// A developer team. For each team a person has one subject and one relay address.
    public struct Team: Hashable, Sendable, Codable {
        /// The Team ID: ten capital letters and digits with Apple.
        public var id: TeamID
        /// The name of the team.
        public var name: String
        /// The App IDs of the team.
        public var apps: [App]
        /// Whether the team is a single developer, whom Apple allows less. Nil for an organization.
        public var individual: Bool?
        /// The domains and addresses that the team may send mail to relay addresses from: 100 at most, and 32 for an
        /// individual. Nil for none.
        public var emailSources: [EmailSource]?

        /// Creates a team of an organization.
        public init(id: TeamID, name: String, apps: [App], emailSources: [EmailSource]? = nil) {
            self.id = id
            self.name = name
            self.apps = apps
            self.emailSources = emailSources
        }
    }
}

extension Portal {
    /// An App ID. A primary App ID forms a group with its Services IDs, its keys, and the App IDs that name it.
    ///
    /// A group shares people's consent: a person who has signed in to one of its members is asked for nothing by the
    /// others.
    public struct App: Hashable, Sendable, Codable {
        /// The bundle identifier, and the client of native sign-ins.
        public var id: ClientID
        /// The name that the sheet shows to people.
        public var name: String
        /// The primary App ID that this App ID is grouped with; nil for a primary App ID.
        public var primary: ClientID?
        /// The Services IDs. Only a primary App ID has any.
        public var services: [Service]
        /// The keys for client secrets. Only a primary App ID has any. They serve the whole group, and no other.
        public var keys: [Key]
        /// The URL for notifications about people's accounts, for the whole group; nil for none. Only a primary App ID
        /// has one. It is `https`, or `http` to this machine or to one of the portal's
        /// ``Portal/plainNotificationHosts``.
        public var notificationURL: String?

        /// Creates an App ID.
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

extension Portal {
    /// A Services ID: the client of sign-ins on the web.
    public struct Service: Hashable, Sendable, Codable {
        /// The Services ID, which a web client sends as `client_id`.
        public var id: ClientID
        /// The domains that are registered beside the return URLs. In strict mode a return URL must be at one of them.
        public var domains: [String]
        /// The domains among ``domains`` at which the association file was found. They matter if
        /// ``Behaviour/webDomainsNeedVerification`` is true. Nil: none.
        public var verifiedDomains: [String]?
        /// The return URLs. A request's `redirect_uri` must be one of them, byte for byte.
        public var returnURLs: [String]

        /// Creates a Services ID.
        public init(id: ClientID, domains: [String], returnURLs: [String], verifiedDomains: [String]? = nil) {
            self.id = id
            self.domains = domains
            self.returnURLs = returnURLs
            self.verifiedDomains = verifiedDomains
        }
    }
}

extension Portal {
    /// A private key for client secrets, which Apple lets a developer download once.
    public struct Key: Hashable, Sendable, Codable {
        /// The Key ID, which a client secret names as `kid`.
        public var id: KeyID
        /// The content of a `.p8` file: a P-256 key in PKCS#8, as PEM.
        public var privateKey: String

        /// Creates a key from its PEM.
        public init(id: KeyID, privateKey: String) {
            self.id = id
            self.privateKey = privateKey
        }

        /// Makes a new key pair with the given Key ID.
        public static func generated(id: KeyID) -> Self {
            Self(id: id, privateKey: P256.Signing.PrivateKey().pemRepresentation)
        }
    }
}
