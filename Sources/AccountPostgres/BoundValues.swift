#if PostgreSQL
    import AccountDatabase
    import CPostgres

    /// The values of one statement in the server's binary form, in one piece of memory.
    struct BoundValues {
        private(set) var types: [Oid] = []
        private(set) var lengths: [Int32] = []
        private var offsets: [Int?] = []
        /// Begins with a byte of no meaning: an empty value needs an address as well, or it would be null.
        private var bytes: [UInt8] = [0]

        init(_ values: [SQLValue]) {
            for value in values {
                switch value.word {
                case .null: append(nil, ServerType.unspecified)
                case .id(let text), .text(let text): append(Array(text.utf8), ServerType.text)
                case .bytes(let bytes): append(bytes, ServerType.bytes)
                case .int64(let number): append(Self.bigEndian(number), ServerType.int64)
                case .flag(let flag): append([flag ? 1 : 0], ServerType.flag)
                }
            }
        }

        /// Calls the body with the addresses of the values, which are valid inside it alone.
        func withAddresses<Answer>(
            _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Answer
        ) rethrows -> Answer {
            try unsafe bytes.withUnsafeBytes { memory in
                let base = unsafe memory.assumingMemoryBound(to: CChar.self).baseAddress
                let addresses = unsafe offsets.map { offset in
                    unsafe offset.flatMap { offset in unsafe base.map { unsafe $0 + offset } }
                }
                return try unsafe addresses.withUnsafeBufferPointer { try unsafe body($0.baseAddress) }
            }
        }

        private mutating func append(_ value: [UInt8]?, _ type: Oid) {
            types.append(type)
            lengths.append(Int32(clamping: value?.count ?? 0))
            offsets.append(value == nil ? nil : bytes.count)
            bytes += value ?? []
        }

        private static func bigEndian(_ number: Int64) -> [UInt8] {
            let bits = UInt64(bitPattern: number)
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        }
    }

    /// The server's numbers for the types that the store uses; they are the same in every PostgreSQL.
    enum ServerType {
        static let flag: Oid = 16
        static let bytes: Oid = 17
        static let int64: Oid = 20
        static let int16: Oid = 21
        static let int32: Oid = 23
        static let text: Oid = 25
        /// Lets the server decide from where the parameter stands.
        static let unspecified: Oid = 0
    }

    extension SQLStatement {
        /// The statement with `$1` for `?1`. Statements of the store have no question mark elsewhere.
        var postgresText: String {
            String(decoding: text.utf8.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0 }, as: UTF8.self)
        }
    }
#endif
