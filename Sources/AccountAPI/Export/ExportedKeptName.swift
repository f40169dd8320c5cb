/// A name, and perhaps an address, of a sign-in that did not succeed.
public struct ExportedKeptName: Hashable, Sendable {
    public var name: AccountName?
    public var email: String?

    public init(name: AccountName?, email: String?) {
        self.name = name
        self.email = email
    }
}

extension ExportedKeptName: Codable {
    private enum CodingKeys: String, CodingKey { case name, email }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(email, forKey: .email)
    }
}
