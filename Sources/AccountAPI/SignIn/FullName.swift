/// A person's name as an app got it from Apple and hands it on, at the first sign-in; any part may be null.
public struct FullName: Hashable, Sendable {
    public var givenName: String?
    public var familyName: String?
    public var middleName: String?
    public var namePrefix: String?
    public var nameSuffix: String?
    public var nickname: String?

    public init(
        givenName: String? = nil, familyName: String? = nil, middleName: String? = nil, namePrefix: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.middleName = middleName
        self.namePrefix = namePrefix
        self.nameSuffix = nameSuffix
        self.nickname = nickname
    }
}

extension FullName: Codable {
    private enum CodingKeys: String, CodingKey {
        case givenName, familyName, middleName, namePrefix, nameSuffix, nickname
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(givenName, forKey: .givenName)
        try container.encode(familyName, forKey: .familyName)
        try container.encode(middleName, forKey: .middleName)
        try container.encode(namePrefix, forKey: .namePrefix)
        try container.encode(nameSuffix, forKey: .nameSuffix)
        try container.encode(nickname, forKey: .nickname)
    }
}
