import AccountService

extension SQLStatement {
    /// The columns of a name, as ``SQLColumns/name()`` takes them and ``SQLValue/name(_:)`` gives them.
    static let nameColumns: Self = "given_name, family_name, middle_name, name_prefix, name_suffix, nickname"
}

extension SQLColumns {
    mutating func name() throws -> PersonName? {
        let givenName = try optionalText()
        let familyName = try optionalText()
        let middleName = try optionalText()
        let namePrefix = try optionalText()
        let nameSuffix = try optionalText()
        let nickname = try optionalText()
        return PersonName(
            givenName: givenName, familyName: familyName, middleName: middleName, namePrefix: namePrefix,
            nameSuffix: nameSuffix, nickname: nickname)
    }
}

extension SQLValue {
    static func name(_ name: PersonName?) throws -> [Self] {
        guard let name else { return Array(repeating: .null, count: 6) }
        return try name.parts.map(SQLValue.text(orNull:))
    }
}
