/// The response to `GET /v1/consents`: every consent of the caller, newest first, those that were withdrawn too.
public struct ConsentListAnswer: Hashable, Sendable, Codable {
    /// All consents of the account, newest first.
    public var consents: [ConsentBody]

    /// Creates a value for the service to send. Clients decode it.
    public init(consents: [ConsentBody]) {
        self.consents = consents
    }
}

/// A consent that a person gave: to what, to which text, when, and from where.
public struct ConsentBody: Hashable, Sendable {
    /// The purpose of a consent: the data that the service may keep. Later versions may add values.
    public struct Purpose: RawRepresentable, Hashable, Sendable, Codable {
        /// The value as the response spells it.
        public let rawValue: String

        /// Makes a value, known or not, from its spelling in a response.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The service keeps a contact address of the person's.
        public static let contactEmail = Self(rawValue: "contact_email")
        /// The service keeps a phone number of the person's.
        public static let phone = Self(rawValue: "phone")
        /// The account has a way in that hides the person's address beside data that tell who the person is.
        public static let linkedIdentity = Self(rawValue: "linked_identity")
    }

    /// The consent's id (`con_…`). `DELETE /v1/consents/{id}` withdraws the consent.
    public var id: String
    /// The data that the service may keep with the consent.
    public var purpose: Purpose
    /// The version of the text that the person agreed to. `GET /v1/consent-texts/{version}` has the text.
    public var textVersion: String
    /// The time at which the person agreed.
    public var givenAt: APITime
    /// The time at which the person withdrew the consent. Null while it holds.
    public var withdrawnAt: APITime?
    /// The app or Services ID of the session in which the person agreed.
    public var clientID: String
    /// The device's name, as its client gave it. Null if nobody gave one.
    public var device: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, purpose: Purpose, textVersion: String, givenAt: APITime, withdrawnAt: APITime?, clientID: String,
        device: String?
    ) {
        self.id = id
        self.purpose = purpose
        self.textVersion = textVersion
        self.givenAt = givenAt
        self.withdrawnAt = withdrawnAt
        self.clientID = clientID
        self.device = device
    }
}

extension ConsentBody: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, purpose, textVersion, givenAt, withdrawnAt, clientID, device
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(textVersion, forKey: .textVersion)
        try container.encode(givenAt, forKey: .givenAt)
        try container.encode(withdrawnAt, forKey: .withdrawnAt)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(device, forKey: .device)
    }
}

/// The response to `GET /v1/consent-texts/{version}`: the text to show before a person agrees.
public struct ConsentTextAnswer: Hashable, Sendable, Codable {
    /// The version of the text, never `current`. A request that carries the person's consent names it.
    public var version: String
    /// The language of the text, as BCP 47 spells it. The server picks it by `Accept-Language` from those that it has.
    public var language: String
    /// The text, for people: plain text in paragraphs, which an empty line separates.
    public var text: String

    /// Creates a value for the service to send. Clients decode it.
    public init(version: String, language: String, text: String) {
        self.version = version
        self.language = language
        self.text = text
    }
}

/// The consent that a request lacks, as the details of an error: `{"purposes", "textVersion"}`.
public struct RequiredConsent: Hashable, Sendable, Codable {
    /// The data that the service may keep once the person agrees.
    public var purposes: [ConsentBody.Purpose]
    /// The version of the text to show and to name. `GET /v1/consent-texts/{version}` has the text.
    public var textVersion: String

    /// Creates a value for the service to send. Clients decode it.
    public init(purposes: [ConsentBody.Purpose], textVersion: String) {
        self.purposes = purposes
        self.textVersion = textVersion
    }
}
