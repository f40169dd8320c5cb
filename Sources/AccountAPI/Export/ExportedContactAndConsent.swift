/// A change of the contact address that can still be taken back.
public struct ExportedFormerContact: Hashable, Sendable {
    /// The contact address before the change. Null if there was none.
    public var address: String?
    /// The time of the change.
    public var changedAt: APITime
    /// The time until which the change can be taken back. The service forgets the former address then.
    public var keptUntil: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(address: String?, changedAt: APITime, keptUntil: APITime) {
        self.address = address
        self.changedAt = changedAt
        self.keptUntil = keptUntil
    }
}

extension ExportedFormerContact: Codable {
    private enum CodingKeys: String, CodingKey {
        case address, changedAt, keptUntil
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(address, forKey: .address)
        try container.encode(changedAt, forKey: .changedAt)
        try container.encode(keptUntil, forKey: .keptUntil)
    }
}

/// A consent that the person gave, with everything that the service recorded.
public struct ExportedConsent: Hashable, Sendable {
    /// The consent's id (`con_…`).
    public var id: String
    /// The data that the service may keep with the consent: `contact_email`, `phone` or
    /// `linked_identity`.
    public var purpose: String
    /// The version of the text that the person agreed to.
    public var textVersion: String
    /// The time at which the person agreed.
    public var givenAt: APITime
    /// The time at which the person withdrew the consent. Null while it holds.
    public var withdrawnAt: APITime?
    /// The id of the session in which the person agreed.
    public var session: String?
    /// The app or Services ID of the session.
    public var clientID: String
    /// The network address that the request came from.
    public var address: String?
    /// The device's name, as its client gave it.
    public var device: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        id: String, purpose: String, textVersion: String, givenAt: APITime, withdrawnAt: APITime?, session: String?,
        clientID: String, address: String?, device: String?
    ) {
        self.id = id
        self.purpose = purpose
        self.textVersion = textVersion
        self.givenAt = givenAt
        self.withdrawnAt = withdrawnAt
        self.session = session
        self.clientID = clientID
        self.address = address
        self.device = device
    }
}

extension ExportedConsent: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, purpose, textVersion, givenAt, withdrawnAt, session, clientID, address, device
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(textVersion, forKey: .textVersion)
        try container.encode(givenAt, forKey: .givenAt)
        try container.encode(withdrawnAt, forKey: .withdrawnAt)
        try container.encode(session, forKey: .session)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(address, forKey: .address)
        try container.encode(device, forKey: .device)
    }
}

/// The id that an imported person had at the service that they came from.
public struct ExportedFormerID: Hashable, Sendable, Codable {
    /// The service, such as `firebase`.
    public var source: String
    /// The person's id there.
    public var id: String
    /// The time of the import.
    public var importedAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(source: String, id: String, importedAt: APITime) {
        self.source = source
        self.id = id
        self.importedAt = importedAt
    }
}
