/// What an invalid request got wrong: `{"field"}`.
public struct InvalidField: Hashable, Sendable {
    /// The member, form field or query parameter, members of members joined by dots (`fullName.givenName`); null when
    /// it is the body as a whole.
    public var field: String?

    public init(field: String?) {
        self.field = field
    }
}

extension InvalidField: Codable {
    private enum CodingKeys: String, CodingKey {
        case field
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(field, forKey: .field)
    }
}
