package import AccountDatabase

extension SQLColumns {
    mutating func time() throws -> Timestamp {
        try Timestamp(microseconds: int64())
    }

    mutating func optionalTime() throws -> Timestamp? {
        try optionalInt64().map(Timestamp.init(microseconds:))
    }

    mutating func hash() throws -> TokenHash {
        try TokenHash(bytes: bytes())
    }

    mutating func optionalHash() throws -> TokenHash? {
        try optionalBytes().map(TokenHash.init(bytes:))
    }

    /// An identifier, or one word of an open list.
    mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type = Word.self) throws -> Word {
        try text(as: "a known \(Word.self)", Word.init(rawValue:))
    }
}

extension SQLValue {
    /// Throws like ``id(_:)``.
    package static func id(_ id: some ResourceID) throws(SQLDatabaseError) -> Self {
        try .id(id.rawValue)
    }

    /// Throws like ``id(_:)``.
    package static func id(orNull id: (some ResourceID)?) throws(SQLDatabaseError) -> Self {
        guard let id else { return .null }
        return try .id(id)
    }

    package static func hash(_ hash: TokenHash) -> Self { .bytes(hash.bytes) }

    /// Microseconds since 1970.
    package static func time(_ moment: Timestamp) -> Self { .int64(moment.microseconds) }

    /// In microseconds.
    package static func duration(_ duration: Duration) -> Self { .time(Timestamp(microseconds: 0) + duration) }
}

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

extension SQLStatement {
    /// The columns that ``ContactFacts`` takes; no other table has any of these names.
    static let contactColumns: Self = "contact_email, pending_contact_email, phone"
}

extension ContactFacts {
    /// Reads the columns of ``SQLStatement/contactColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            email: columns.optionalText(), pendingEmail: columns.optionalText(), phone: columns.optionalText())
    }
}

extension SQLValue {
    static func name(_ name: PersonName?) throws -> [Self] {
        guard let name else { return Array(repeating: .null, count: 6) }
        return try name.parts.map(SQLValue.text(orNull:))
    }
}
