/// The edit that a request makes to one member of a profile. JSON tells the three cases apart: the member is absent,
/// null or there.
public enum MemberEdit<Value> {
    /// The member stays as it is. It is absent from the JSON.
    case unchanged
    /// The member is removed. It is null in the JSON.
    case remove
    /// The member gets a new value.
    case set(Value)
}

extension MemberEdit: Equatable where Value: Equatable {}
extension MemberEdit: Hashable where Value: Hashable {}
extension MemberEdit: Sendable where Value: Sendable {}

/// The body of `PATCH /v1/account`: what a person changes about themselves. At least one member must be there.
public struct ProfileUpdateRequest: Hashable, Sendable {
    /// The name. A new one replaces all six parts. Apple's later word never overwrites it.
    public var name: MemberEdit<FullName>
    /// The address to which the service writes. A new one counts when the person has opened the link that is sent to it.
    public var contactEmail: MemberEdit<String>
    /// The phone number in the form of E.164: `+` and 8 to 15 digits. The service stores it, and doesn't verify it.
    public var phone: MemberEdit<String>
    /// The person's consent to the text that the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?

    /// Creates the body of a call.
    public init(
        name: MemberEdit<FullName> = .unchanged, contactEmail: MemberEdit<String> = .unchanged,
        phone: MemberEdit<String> = .unchanged, consent: ConsentGivenBody? = nil
    ) {
        self.name = name
        self.contactEmail = contactEmail
        self.phone = phone
        self.consent = consent
    }

    /// Whether the body changes no member of the profile. The service refuses such a body.
    package var changesNothing: Bool {
        if case .unchanged = name, case .unchanged = contactEmail, case .unchanged = phone { true } else { false }
    }
}

extension ProfileUpdateRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, contactEmail, phone, consent
    }

    /// Reads a body. A member that is absent stays unchanged, and one that is null is removed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func edit<Value: Decodable>(_ key: CodingKeys) throws -> MemberEdit<Value> {
            guard container.contains(key) else { return .unchanged }
            return try container.decodeIfPresent(Value.self, forKey: key).map { .set($0) } ?? .remove
        }
        name = try edit(.name)
        contactEmail = try edit(.contactEmail)
        phone = try edit(.phone)
        consent = try container.decodeIfPresent(ConsentGivenBody.self, forKey: .consent)
    }

    /// Writes the members that change, and the consent if there is one. A removed member is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ edit: MemberEdit<some Encodable>, _ key: CodingKeys) throws {
            switch edit {
            case .unchanged: break
            case .remove: try container.encodeNil(forKey: key)
            case .set(let value): try container.encode(value, forKey: key)
            }
        }
        try encode(name, .name)
        try encode(contactEmail, .contactEmail)
        try encode(phone, .phone)
        try container.encodeIfPresent(consent, forKey: .consent)
    }
}

/// A person's consent to one version of the text, in a request that needs it.
public struct ConsentGivenBody: Hashable, Sendable, Codable {
    /// The version of the text that the person has read and agreed to.
    public var textVersion: String

    /// Creates the body of a call.
    public init(textVersion: String) {
        self.textVersion = textVersion
    }
}
