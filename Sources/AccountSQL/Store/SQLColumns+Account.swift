import AccountService

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
