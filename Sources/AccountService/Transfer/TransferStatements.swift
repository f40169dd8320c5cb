import AccountDatabase
package import AppleIDTypes

/// A person whom the sending team asks Apple about.
package struct PersonToExport: Hashable, Sendable, Redacted {
    package var identity: IdentityID
    package var account: AccountID
    package var subject: Subject
    /// Whether Apple has refused to tell about the person before.
    package var hasFailed = false
}

/// Apple's answer to the sending team about one person.
struct ExportedPerson: Sendable, Redacted {
    var person: PersonToExport
    /// The id of a new row.
    var id: TransferID
    var answer: Result<Subject, TransferFailure.Thrown>
}

extension TransferFailure {
    /// A failure as the error of a result.
    struct Thrown: Error {
        let failure: TransferFailure
    }
}

extension AccountTransactions {
    /// At most `limit` people of the sending team without a transfer subject for the receiving team, after one.
    ///
    /// Apple is asked again about people whom it refused before.
    func peopleToExport(
        from source: TeamID, to target: TeamID, _ part: TransferPart, after last: IdentityID?, limit: Int
    ) async throws -> [PersonToExport] {
        let statement: SQLStatement =
            switch part {
            case .latest: .latestToExport
            case .new: .newToExport
            case .failed: .failedToExport
            }
        return try await read { connection in
            try connection.query(
                statement,
                [.text(source), .text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { columns in
                try PersonToExport(
                    identity: columns.word(), account: columns.word(), subject: columns.word(),
                    hasFailed: part == .failed)
            }
        }
    }

    /// Whether Apple has given a transfer subject for somebody already.
    func hasExported(from source: TeamID, to target: TeamID) async throws -> Bool {
        try await read { try $0.returnsRow(.findExported, [.text(source), .text(target), .flag(false)]) }
    }

    /// The subjects of the people at the sending team for whom Apple gave a transfer subject last.
    func lastExported(from source: TeamID, to target: TeamID, limit: Int) async throws -> [Subject] {
        try await read { connection in
            try connection.query(
                .lastExported, [.text(source), .text(target), .flag(false), .int64(Int64(limit))]
            ) { try $0.word() }
        }
    }

    package func countToExport(from source: TeamID, to target: TeamID) async throws -> Int {
        try await read { connection in
            try connection.first(.countToExport, [.text(source), .text(target), .text("")]) { try Int($0.int64()) } ?? 0
        }
    }

    /// Keeps what Apple answered about people, in one transaction. A person who has gone since is left out, and one who was
    /// moved meanwhile stays so.
    /// - Returns: for each, why they can't be moved; nil where nothing stands in the way.
    @discardableResult
    func keep(
        _ answers: [ExportedPerson], from source: TeamID, to target: TeamID, at moment: Timestamp
    ) async throws -> [TransferFailure?] {
        let people = answers.map { TokenHash.person(team: source, subject: $0.person.subject) }
        return try await write { connection in
            // Held off: a move of the same person by their sign-in.
            try connection.lock(people: people)
            return try answers.map { try connection.keep($0, from: source, to: target, at: moment) }
        }
    }

    /// At most `limit` people of this service for whom Apple has given the team that sends them a transfer subject, in the
    /// order of their ids, after one.
    package func exportedPeople(
        from source: TeamID, to target: TeamID, after last: TransferID?, limit: Int
    ) async throws -> [PersonTransfer] {
        try await read { connection in
            try connection.query(
                .exportedPeople,
                [
                    .text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit))), .text(source),
                    .flag(false),
                ]
            ) { try PersonTransfer(&$0) }
        }
    }

    /// At most `limit` people whom the receiving team asks Apple about, in the order of their ids, after one. Those
    /// who failed before are among them.
    func peopleToImport(
        to target: TeamID, _ part: TransferPart, after last: TransferID?, limit: Int
    ) async throws -> [PersonTransfer] {
        let statement: SQLStatement =
            switch part {
            case .latest: .latestToImport
            case .new: .newToImport
            case .failed: .failedToImport
            }
        return try await read { connection in
            try connection.query(
                statement, [.text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { try PersonTransfer(&$0) }
        }
    }

    /// Whether somebody was moved to a team already.
    func hasMoved(to target: TeamID) async throws -> Bool {
        try await read { try $0.returnsRow(.findMoved, [.text(target)]) }
    }

    /// The transfer subjects of the people who were moved last.
    func lastMoved(to target: TeamID, limit: Int) async throws -> [Subject] {
        try await read { connection in
            try connection.query(.lastMoved, [.text(target), .int64(Int64(limit))]) { try $0.word() }
        }
    }

    package func countToImport(to target: TeamID) async throws -> Int {
        try await read { connection in
            try connection.first(.countToImport, [.text(target)]) { try Int($0.int64()) } ?? 0
        }
    }

    /// Notes that Apple has refused to tell who a person is at the receiving team, unless they were moved meanwhile.
    func noteImportRefused(_ id: TransferID, at moment: Timestamp) async throws {
        try await write { connection in
            _ = try connection.execute(.noteRefused, [.id(id), .text(TransferFailure.appleRefused), .time(moment)])
        }
    }

    /// Counts how far the transfer to a team is.
    package func transferCounts(to target: TeamID) async throws -> TransferCounts {
        try await read { connection in
            var counts = TransferCounts()
            try connection.query(.transferCounts, [.text(target)]) { columns in
                try (
                    state: columns.text(as: "a state", PersonTransfer.State.init(rawValue:)),
                    failure: columns.optionalText().map(TransferFailure.init(rawValue:)), count: Int(columns.int64())
                )
            }.forEach { row in
                switch row.state {
                case .exported: counts.exported += row.count
                case .moved: counts.moved += row.count
                case .failed: counts.failed[row.failure ?? .appleRefused, default: 0] += row.count
                }
            }
            counts.waiting =
                try connection.first(.countWithoutTransfer, [.text(target)]) { try Int($0.int64()) } ?? 0
            return counts
        }
    }

    /// At most `limit` people who are not moved to a team: failed ones, and those with a transfer subject. After one.
    package func peopleLeft(to target: TeamID, after last: TransferID?, limit: Int) async throws -> [PersonTransfer] {
        try await read { connection in
            try connection.query(
                .peopleLeft, [.text(target), .text(last?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            ) { try PersonTransfer(&$0) }
        }
    }

    /// The teams of the people here, with their number, the largest first.
    package func teams() async throws -> [(team: TeamID, people: Int)] {
        try await read { connection in
            try connection.query(.teamsOfPeople, []) { try (team: $0.word(), people: Int($0.int64())) }
        }
    }
}

extension SQLConnection {
    fileprivate func keep(
        _ answer: ExportedPerson, from source: TeamID, to target: TeamID, at moment: Timestamp
    ) throws -> TransferFailure? {
        var (subject, failure): (Subject?, TransferFailure?) = (nil, nil)
        switch answer.answer {
        case .success(let transferSubject): subject = transferSubject
        case .failure(let thrown): failure = thrown.failure
        }
        if let found = subject, let other = try transfer(to: target, found), other.identity != answer.person.identity {
            if other.identity == nil {
                // A file with the same person was read here before.
                try execute(.removeReceivedTwin, [.text(target), .text(found)])
            } else {
                // The person was moved, and got another identity under the former team since.
                (subject, failure) = (nil, .accountExists)
            }
        }
        try execute(
            .keepExport,
            [
                .id(answer.id), .id(answer.person.identity), .text(source), .text(target),
                .text(answer.person.subject), .text(orNull: subject?.rawValue),
                .text(failure == nil ? PersonTransfer.State.exported : .failed),
                .text(orNull: failure?.rawValue), .time(moment), .flag(false),
            ])
        return failure
    }
}

extension PersonTransfer {
    /// Reads the columns of ``SQLStatement/transferColumns``.
    init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), source: columns.word(), target: columns.word(), account: columns.word(),
            identity: columns.optionalText().map(IdentityID.init(rawValue:)), isReceived: columns.flag(),
            formerSubject: columns.optionalText().map { Subject($0) },
            transferSubject: columns.optionalText().map { Subject($0) },
            state: columns.text(as: "a state", State.init(rawValue:)),
            failure: columns.optionalText().map(TransferFailure.init(rawValue:)), updatedAt: columns.time(),
            movedAt: columns.optionalTime())
    }
}

extension SQLStatement {
    /// An identity may have come to another account since.
    private static let transferColumns: Self = """
        id, source, target,
        coalesce((SELECT i.account_id FROM identities i WHERE i.id = transfers.identity_id), account_id),
        identity_id, is_received, former_subject, transfer_subject, state, failure, updated_at, moved_at
        """
    static let transferByID: Self = "SELECT \(transferColumns) FROM transfers WHERE id = ?1"
    static let transferBySubject: Self = """
        SELECT \(transferColumns) FROM transfers WHERE target = ?1 AND transfer_subject = ?2
        """
    static let transfersOfIdentity: Self = """
        SELECT \(transferColumns) FROM transfers WHERE identity_id = ?1 ORDER BY id
        """
    /// A row of an earlier transfer in the same direction, whose identity came back since, doesn't count.
    private static let isToExport: Self = """
        FROM identities i
        WHERE i.provider = 'apple' AND i.team = ?1 AND i.removed_at IS NULL AND i.id > ?3 AND NOT EXISTS (
            SELECT t.id FROM transfers t
            WHERE t.identity_id = i.id AND t.target = ?2 AND t.former_subject = i.subject
                AND t.transfer_subject IS NOT NULL AND t.state <> 'moved')
        """
    private static let hasFailedExport: Self = """
        EXISTS (SELECT f.id FROM transfers f WHERE f.identity_id = i.id AND f.target = ?2 AND f.state = 'failed')
        """
    private static let personToExport: Self = "SELECT i.id, i.account_id, i.subject"
    fileprivate static let latestToExport: Self = """
        \(personToExport) \(isToExport) AND NOT \(hasFailedExport) ORDER BY i.last_sign_in_at DESC, i.id DESC
        LIMIT ?4
        """
    fileprivate static let newToExport: Self = """
        \(personToExport) \(isToExport) AND NOT \(hasFailedExport) ORDER BY i.id LIMIT ?4
        """
    fileprivate static let failedToExport: Self = """
        \(personToExport) \(isToExport) AND \(hasFailedExport) ORDER BY i.id LIMIT ?4
        """
    fileprivate static let findExported: Self = """
        SELECT id FROM transfers
        WHERE source = ?1 AND target = ?2 AND is_received = ?3 AND transfer_subject IS NOT NULL LIMIT 1
        """
    fileprivate static let countToExport: Self = "SELECT count(*) \(isToExport)"
    fileprivate static let removeReceivedTwin: Self = """
        DELETE FROM transfers WHERE target = ?1 AND transfer_subject = ?2 AND identity_id IS NULL
        """
    /// An answer that came a second time, or after another run's, changes nothing. A moved row whose identity is of the
    /// sending team again is of an earlier transfer.
    fileprivate static let keepExport: Self = """
        INSERT INTO transfers (id, source, target, account_id, identity_id, is_received, former_subject,
            transfer_subject, state, failure, updated_at)
        SELECT ?1, ?3, ?4, i.account_id, i.id, ?10, ?5, ?6, ?7, ?8, ?9 FROM identities i
        WHERE i.id = ?2 AND i.team = ?3 AND i.subject = ?5 AND i.removed_at IS NULL
        ON CONFLICT (identity_id, target) DO UPDATE SET source = excluded.source, is_received = excluded.is_received,
            former_subject = excluded.former_subject, transfer_subject = excluded.transfer_subject,
            state = excluded.state, failure = excluded.failure, updated_at = excluded.updated_at, moved_at = NULL
        WHERE transfers.transfer_subject IS NULL OR transfers.state = 'moved' OR transfers.former_subject IS NULL
            OR transfers.former_subject <> excluded.former_subject
        """
    fileprivate static let exportedPeople: Self = """
        SELECT \(transferColumns) FROM transfers
        WHERE target = ?1 AND source = ?4 AND id > ?2 AND is_received = ?5 AND identity_id IS NOT NULL
            AND transfer_subject IS NOT NULL
        ORDER BY id LIMIT ?3
        """
    private static let isToImport: Self = """
        FROM transfers WHERE target = ?1 AND transfer_subject IS NOT NULL AND state <> 'moved'
        """
    fileprivate static let latestToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'exported' AND id > ?2
        ORDER BY coalesce((SELECT l.last_sign_in_at FROM identities l WHERE l.id = transfers.identity_id), 0) DESC,
            id DESC
        LIMIT ?3
        """
    fileprivate static let newToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'exported' AND id > ?2 ORDER BY id LIMIT ?3
        """
    fileprivate static let failedToImport: Self = """
        SELECT \(transferColumns) \(isToImport) AND state = 'failed' AND id > ?2 ORDER BY id LIMIT ?3
        """
    fileprivate static let lastExported: Self = """
        SELECT former_subject FROM transfers
        WHERE source = ?1 AND target = ?2 AND is_received = ?3 AND transfer_subject IS NOT NULL
            AND former_subject IS NOT NULL
        ORDER BY updated_at DESC LIMIT ?4
        """
    fileprivate static let lastMoved: Self = """
        SELECT transfer_subject FROM transfers
        WHERE target = ?1 AND state = 'moved' AND transfer_subject IS NOT NULL ORDER BY updated_at DESC LIMIT ?2
        """
    fileprivate static let findMoved: Self = "SELECT id FROM transfers WHERE target = ?1 AND state = 'moved' LIMIT 1"
    fileprivate static let countToImport: Self = "SELECT count(*) \(isToImport)"
    fileprivate static let noteRefused: Self = """
        UPDATE transfers SET state = 'failed', failure = ?2, updated_at = ?3 WHERE id = ?1 AND state <> 'moved'
        """
    fileprivate static let transferCounts: Self = """
        SELECT state, failure, count(*) FROM transfers WHERE target = ?1 GROUP BY state, failure
        """
    fileprivate static let countWithoutTransfer: Self = """
        SELECT count(*) FROM identities i
        WHERE i.provider = 'apple' AND i.team <> ?1 AND i.removed_at IS NULL AND NOT EXISTS (
            SELECT t.id FROM transfers t WHERE t.identity_id = i.id AND t.target = ?1 AND t.state <> 'moved')
        """
    fileprivate static let peopleLeft: Self = """
        SELECT \(transferColumns) FROM transfers WHERE target = ?1 AND state <> 'moved' AND id > ?2 ORDER BY id LIMIT ?3
        """
    fileprivate static let teamsOfPeople: Self = """
        SELECT team, count(*) FROM identities WHERE provider = 'apple' AND removed_at IS NULL
        GROUP BY team ORDER BY count(*) DESC, team
        """
}
