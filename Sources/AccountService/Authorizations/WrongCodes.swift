import AccountDatabase

/// How many wrong codes may be tried within a window of time: a counter of a store, and its bound.
package struct WrongCodeLimit: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Typed by a person for a device.
        case userCodes = "user codes"
        /// Apple's, brought by an app without anything that proves them.
        case authorizationCodes = "authorization codes"
    }

    package var kind: Kind
    /// Nil for all networks together.
    package var network: CountedNetwork?
    package var limit: Int64
    /// When the current window began; it begins anew when it is over.
    package var window: Timestamp
    /// When the count of the window may go.
    package var windowEnd: Timestamp

    package init(
        of kind: Kind, from network: CountedNetwork?, limit: Int64, window: Timestamp, windowEnd: Timestamp
    ) {
        self.kind = kind
        self.network = network
        self.limit = limit
        self.window = window
        self.windowEnd = windowEnd
    }

    /// - Parameter length: of the windows, in whole seconds.
    init(of kind: Kind, from network: CountedNetwork?, limit: Int64, during length: Duration, at moment: Timestamp) {
        let seconds = length.components.seconds
        let window = Timestamp(secondsSince1970: moment.secondsSince1970 / seconds * seconds)
        self.init(of: kind, from: network, limit: limit, window: window, windowEnd: window + length)
    }
}

/// A user code that somebody typed, looked up and, when it is wrong, counted in one transaction.
package struct UserCodeTrial: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The authorization, in whatever state it is.
        case found(StoredAuthorization)
        case wrong
        /// Too many were wrong, by one of the limits: nothing was looked up.
        case refused
    }

    /// The hashes that the code may be stored as, looked for in this order.
    package var codeHashes: [TokenHash]
    /// Each of them must allow the trial, and counts it when it is wrong.
    package var limits: [WrongCodeLimit]

    package init(codeHashes: [TokenHash], limits: [WrongCodeLimit]) {
        self.codeHashes = codeHashes
        self.limits = limits
    }
}

/// The network that a limit counts as one caller: an IPv4 address, or the first 64 bits of an IPv6 address. A person
/// with one such IPv6 address has all that share those bits (RFC 4291 §2.5.4, RFC 6177).
package struct CountedNetwork: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter address: what is no address of version 6 counts as it is written; an IPv4-mapped one (RFC 4291
    ///   §2.5.5.2) counts as the address of version 4.
    package init(of address: String) {
        guard address.utf8.contains(UInt8(ascii: ":")), let groups = Self.groups(address) else {
            self.init(rawValue: address)
            return
        }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            let bytes = groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }
            self.init(rawValue: bytes.map { String($0) }.joined(separator: "."))
        } else {
            let network = groups[..<4].map { String($0, radix: 16) }.joined(separator: ":")
            self.init(rawValue: network + "::/64")
        }
    }

    /// The eight groups of an address of version 6 in any form of RFC 4291 §2.2, with or without a zone.
    private static func groups(_ address: String) -> [UInt16]? {
        let text = address.prefix { $0 != "%" }
        guard let gap = text.firstRange(of: "::") else {
            return groups(list: text).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = groups(list: text[..<gap.lowerBound]), let tail = groups(list: text[gap.upperBound...]),
            head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(list: Substring) -> [UInt16]? {
        guard !list.isEmpty else { return [] }
        let parts = list.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
                guard bytes.count == 4 else { return nil }
                groups += [UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3])]
            } else {
                guard part.utf8.count <= 4, let group = UInt16(part, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension AccountTransactions {
    /// Looks a typed user code up, and counts it when there is none.
    package func tryUserCode(_ trial: UserCodeTrial) async throws -> UserCodeTrial.Outcome {
        try await write { connection in
            for limit in trial.limits {
                guard try connection.isWithin(limit) else { return .refused }
            }
            for hash in trial.codeHashes {
                if let row = try connection.authorizationRow(.authorizationOfUserCode, .hash(hash)) {
                    return .found(row.stored)
                }
            }
            for limit in trial.limits {
                try connection.count(limit)
            }
            return .wrong
        }
    }

    /// Whether fewer wrong codes than the limit were counted.
    package func mayTryCode(_ limit: WrongCodeLimit) async throws -> Bool {
        try await read { try $0.isWithin(limit) }
    }

    package func countWrongCode(_ limit: WrongCodeLimit) async throws {
        try await write { try $0.count(limit) }
    }
}

extension SQLConnection {
    fileprivate func isWithin(_ limit: WrongCodeLimit) throws -> Bool {
        let count = try first(.wrongCodes, try limit.key) { try $0.int64() }
        return (count ?? 0) < limit.limit
    }

    fileprivate func count(_ limit: WrongCodeLimit) throws {
        try execute(.countWrongCode, try limit.key + [.time(limit.windowEnd)])
    }
}

extension WrongCodeLimit {
    /// No network has an empty name.
    fileprivate var key: [SQLValue] {
        get throws { try [.text(kind), .text(network?.rawValue ?? ""), .time(window)] }
    }
}

extension SQLStatement {
    fileprivate static let wrongCodes: Self = """
        SELECT count FROM wrong_codes WHERE kind = ?1 AND network = ?2 AND window_start = ?3
        """
    fileprivate static let countWrongCode: Self = """
        INSERT INTO wrong_codes (kind, network, window_start, count, expires_at) VALUES (?1, ?2, ?3, 1, ?4)
        ON CONFLICT (kind, network, window_start) DO UPDATE SET count = wrong_codes.count + 1
        """
}
