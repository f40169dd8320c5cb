/// A mail to the person that was delivered. The service keeps the note for a day.
public struct ExportedSentMail: Hashable, Sendable, Codable {
    /// The kind of mail, such as `new_device`.
    public var kind: String
    /// The time at which the mail server took the mail.
    public var sentAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(kind: String, sentAt: APITime) {
        self.kind = kind
        self.sentAt = sentAt
    }
}

/// A link that was sent to the person by mail and still works. Its secret isn't told.
public struct ExportedLink: Hashable, Sendable {
    /// The kind of mail that the link is in: `verify_address`, `address_changed`, `new_device`, `sign_in_link` or
    /// `password_reset`.
    public var kind: String
    /// The id of the session that the link ends, or through which the contact address was changed or entered. Null for
    /// a link that signs in or sets a password.
    public var session: String?
    /// The name of the device whose sessions the link ends. Null for another link.
    public var device: String?
    /// The address that the link signs in or sets a password for. Null for another link.
    public var address: String?
    /// The time at which the link stops working.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(kind: String, session: String?, device: String?, address: String? = nil, expiresAt: APITime) {
        self.kind = kind
        self.session = session
        self.device = device
        self.address = address
        self.expiresAt = expiresAt
    }
}

extension ExportedLink: Codable {
    private enum CodingKeys: String, CodingKey { case kind, session, device, address, expiresAt }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(session, forKey: .session)
        try container.encode(device, forKey: .device)
        try container.encode(address, forKey: .address)
        try container.encode(expiresAt, forKey: .expiresAt)
    }
}
