public import AccountService

extension SQLAccountStore {
    public func tryUserCode(_ trial: UserCodeTrial) async throws -> UserCodeTrial.Outcome {
        try await database.write { connection in
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

    public func mayTryCode(_ limit: WrongCodeLimit) async throws -> Bool {
        try await database.read { try $0.isWithin(limit) }
    }

    public func countWrongCode(_ limit: WrongCodeLimit) async throws {
        try await database.write { try $0.count(limit) }
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
