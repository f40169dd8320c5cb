/// Something that happened to the account, as the audit has it.
public struct ExportedActivity: Hashable, Sendable {
    public var event: String
    public var at: APITime
    /// Who did it: `account`, `operator`, `apple` or `service`.
    public var actor: String
    public var session: String?
    /// What it was about, by its id.
    public var subject: String?
    public var detail: String?
    /// The network address that the request came from.
    public var address: String?
    /// The device, as it called itself.
    public var device: String?

    public init(
        event: String, at: APITime, actor: String, session: String?, subject: String?, detail: String?,
        address: String?, device: String?
    ) {
        self.event = event
        self.at = at
        self.actor = actor
        self.session = session
        self.subject = subject
        self.detail = detail
        self.address = address
        self.device = device
    }
}

extension ExportedActivity: Codable {
    private enum CodingKeys: String, CodingKey {
        case event, at, actor, session, subject, detail
        case address, device
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event, forKey: .event)
        try container.encode(at, forKey: .at)
        try container.encode(actor, forKey: .actor)
        try container.encode(session, forKey: .session)
        try container.encode(subject, forKey: .subject)
        try container.encode(detail, forKey: .detail)
        try container.encode(address, forKey: .address)
        try container.encode(device, forKey: .device)
    }
}
