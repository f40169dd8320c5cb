public import AccountService
import AppleIDTypes

extension SQLAccountStore {
    public func applyNotification(_ notification: AppleNotification) async throws -> NotificationReceipt {
        let person = OutboxEntry.personHash(team: notification.team, subject: notification.subject)
        return try await database.write { connection in
            try connection.lock(person: person)
            guard try connection.keep(notification) else {
                let outcome = try connection.first(.outcomeOfNotification, [.text(notification.id)]) {
                    try $0.word(NotificationOutcome.self)
                }
                return NotificationReceipt(outcome: outcome ?? .unchanged, account: nil, isRepeat: true)
            }
            let (outcome, account) = try connection.apply(notification)
            try connection.execute(
                .settleNotification, [.text(notification.id), .text(outcome), .id(orNull: account)])
            let isAnybody = try account.map { try connection.returnsRow(.findAccount, [.id($0)]) } ?? false
            if !isAnybody {
                // Nobody of this subject has an account here, or not any more: nothing has to name them.
                try connection.hashSubject(notification.subject, team: notification.team)
            }
            return NotificationReceipt(outcome: outcome, account: account, isRepeat: false)
        }
    }

    public func appleNotifications(limit: Int) async throws -> [KeptNotification] {
        try await database.read { connection in
            try connection.query(.lastNotifications, [.int64(Int64(max(0, limit)))]) { columns in
                let notification = try AppleNotification(
                    id: columns.text(), type: EventType(columns.text()),
                    change: columns.text(as: "a change", AppleNotification.Change.init(word:)),
                    team: TeamID(columns.text()), audience: columns.word(), subject: Subject(columns.text()),
                    happenedAt: columns.time(), receivedAt: columns.time())
                return try KeptNotification(
                    notification: notification, outcome: columns.word(),
                    account: columns.optionalText().map(AccountID.init(rawValue:)))
            }
        }
    }
}

extension SQLConnection {
    /// - Returns: whether it is the first delivery.
    fileprivate func keep(_ notification: AppleNotification) throws -> Bool {
        try returnsRow(
            .keepNotification,
            [
                .text(notification.id), .text(notification.type), .text(notification.change.word),
                .text(notification.team), .text(notification.audience), .text(notification.subject),
                .time(notification.happenedAt), .time(notification.receivedAt),
                .time(notification.receivedAt + AppleNotification.lifetime),
            ])
    }
}

extension SQLConnection {
    /// Takes a person's subject out of all that Apple has sent about them.
    func hashSubject(_ subject: Subject, team: TeamID) throws {
        let hashed = AppleNotification.hashedSubject(subject, team: team)
        try execute(.hashSubject, [.text(subject), .text(team), .text(hashed)])
    }
}

extension AppleNotification {
    /// What stands in the place of the subject of somebody who has no account.
    static func hashedSubject(_ subject: Subject, team: TeamID) -> String {
        hashedSubject(OutboxEntry.personHash(team: team, subject: subject))
    }

    static func hashedSubject(_ person: TokenHash) -> String {
        let bytes = person.bytes
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "sha256 " + String(decoding: text, as: UTF8.self)
    }
}

extension AppleNotification.Change {
    fileprivate var word: String {
        switch self {
        case .consentRevoked: "consent_revoked"
        case .accountDeleted: "account_deleted"
        case .emailForwarding(true): "forwarding_enabled"
        case .emailForwarding(false): "forwarding_disabled"
        case .other: "other"
        }
    }

    init?(word: String) {
        let all: [Self] = [
            .consentRevoked, .accountDeleted, .emailForwarding(true), .emailForwarding(false), .other,
        ]
        guard let change = all.first(where: { $0.word == word }) else { return nil }
        self = change
    }
}

extension SQLStatement {
    /// An account that it has deleted is not named. The outcome is written when it is known, in the same transaction.
    fileprivate static let keepNotification: Self = """
        INSERT INTO apple_notifications (id, type, change, team, audience, subject, happened_at, received_at,
            outcome, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'received', ?9)
        ON CONFLICT (id) DO NOTHING RETURNING id
        """
    fileprivate static let settleNotification: Self = """
        UPDATE apple_notifications SET outcome = ?2, account_id = (SELECT id FROM accounts WHERE id = ?3) WHERE id = ?1
        """
    fileprivate static let findAccount: Self = "SELECT id FROM accounts WHERE id = ?1"
    fileprivate static let hashSubject: Self = """
        UPDATE apple_notifications SET subject = ?3 WHERE subject = ?1 AND team = ?2
        """
    fileprivate static let outcomeOfNotification: Self = "SELECT outcome FROM apple_notifications WHERE id = ?1"
    fileprivate static let lastNotifications: Self = """
        SELECT id, type, change, team, audience, subject, happened_at, received_at, outcome, account_id
        FROM apple_notifications ORDER BY received_at DESC, id LIMIT ?1
        """
}
