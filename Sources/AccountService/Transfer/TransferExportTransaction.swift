import AccountDatabase
package import AppleIDTypes

/// A person whom the sending team asks Apple about.
package struct PersonToExport: Hashable, Sendable, Redacted {
    package var identity: IdentityID
    package var account: AccountID
    package var subject: Subject
    /// Whether it has failed about the person before.
    package var hasFailed = false
}

/// Apple's answer to the sending team about one person.
struct ExportedPerson: Sendable, Redacted {
    enum Answer: Sendable {
        case transferSubject(Subject)
        case failure(TransferFailure)
    }

    var person: PersonToExport
    /// The id of a new row.
    var id: TransferID
    var answer: Answer
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

    /// The people for whom Apple gave a transfer subject last.
    func lastExported(
        from source: TeamID, to target: TeamID, limit: Int
    ) async throws -> [(subject: Subject, transferSubject: Subject)] {
        try await read { connection in
            try connection.query(
                .lastExported, [.text(source), .text(target), .flag(false), .int64(Int64(limit))]
            ) { try (subject: $0.word(), transferSubject: $0.word()) }
        }
    }

    package func countToExport(from source: TeamID, to target: TeamID) async throws -> Int {
        try await read { connection in
            try connection.first(.countToExport, [.text(source), .text(target), .text("")]) { try Int($0.int64()) } ?? 0
        }
    }

    /// Keeps Apple's answer about a person, in one transaction. A person who has gone since is left out, and one who
    /// was moved meanwhile stays so.
    /// - Returns: why the person can't be moved; nil where nothing stands in the way.
    @discardableResult
    func keep(
        _ answer: ExportedPerson, from source: TeamID, to target: TeamID, at moment: Timestamp
    ) async throws -> TransferFailure? {
        let person = TokenHash.person(team: source, subject: answer.person.subject)
        return try await write { connection in
            // No sign-in moves the person meanwhile.
            try connection.lock(person: person)
            return try connection.keep(answer, from: source, to: target, at: moment)
        }
    }

    /// At most `limit` people of this service for whom Apple has given the team that sends them a transfer subject, in
    /// the order of their ids, after one.
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
}

extension SQLConnection {
    fileprivate func keep(
        _ answer: ExportedPerson, from source: TeamID, to target: TeamID, at moment: Timestamp
    ) throws -> TransferFailure? {
        var (subject, failure): (Subject?, TransferFailure?) = (nil, nil)
        switch answer.answer {
        case .transferSubject(let transferSubject): subject = transferSubject
        case .failure(let reason): failure = reason
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

extension SQLStatement {
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
    fileprivate static let lastExported: Self = """
        SELECT former_subject, transfer_subject FROM transfers
        WHERE source = ?1 AND target = ?2 AND is_received = ?3 AND transfer_subject IS NOT NULL
            AND former_subject IS NOT NULL
        ORDER BY updated_at DESC LIMIT ?4
        """
}
