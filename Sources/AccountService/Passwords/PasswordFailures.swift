import AccountDatabase
import AppleIDTypes

/// When a wrong password makes the next one wait. Wrong passwords count by address, whether or not it has an account,
/// and by network.
enum PasswordFailureRules {
    /// Wrong passwords in a row that cost no wait.
    static let free: Int64 = 5
    /// Wrong passwords in a row for one account that turn its password off until it is reset by mail.
    static let maximumForAccount: Int64 = 100
    static let firstWait: Duration = .seconds(1)
    static let maximumWait: Duration = .minutes(15)
    /// How long the count of an address stays after its last wrong password.
    static let accountRetention: Duration = .days(30)
    /// How long the count of a network stays after its last wrong password. It has come down to nothing by then.
    static let networkRetention: Duration = .hours(12)

    /// The wait after a number of wrong passwords in a row: none for the first five, then a second, and twice as long
    /// after each further one.
    static func wait(after count: Int64) -> Duration {
        guard count > free else { return .zero }
        // 2^10 seconds are longer than the longest wait.
        return min(firstWait * (1 << min(count - free - 1, 10)), maximumWait)
    }

    /// The count of a network at a moment. At each full hour (UTC) half of it goes, also while wrong passwords go on.
    ///
    /// Many people may share a network, and right passwords don't end its count. A count that only went after an hour
    /// without a wrong password would stay for ever with one of them in a quarter of an hour, and with it the longest
    /// wait for everybody behind the address. Now one in a quarter of an hour costs the others two seconds at most.
    ///
    /// The halving gives nobody more guesses. A network that goes on trying has about nine tries an hour. A count that
    /// only an hour's rest forgets would allow thirteen.
    static func halved(_ count: Int64, since last: Timestamp, at moment: Timestamp) -> Int64 {
        let hours = moment.secondsSince1970 / 3_600 - last.secondsSince1970 / 3_600
        return count >> max(0, min(hours, 62))
    }
}

/// One try of a password, as it is counted.
struct PasswordTry: Sendable {
    let form: EmailForm
    let account: TokenHash
    let network: TokenHash
    let at: Timestamp
}

extension AccountTransactions {
    /// Counts a try of a password before the password is hashed, so that tries at one moment all count.
    ///
    /// Throws ``AccountError/Code/rateLimited``, and counts nothing, while the address or the network has to wait.
    /// - Returns: the tries in a row for the address, with this one.
    func reserve(_ attempt: PasswordTry) async throws -> Int64 {
        try await write { connection in
            let network = try connection.failures(.network, attempt.network, at: attempt.at)
            try connection.lock(hash: attempt.account)
            let account = try connection.failures(.account, attempt.account, at: attempt.at)
            let end = max(network.blockedUntil, account.blockedUntil)
            guard end <= attempt.at else {
                throw AccountError(
                    .rateLimited, "too many wrong passwords were tried for this address, or from this network",
                    retryAfter: end - attempt.at)
            }
            try connection.keep(.account, attempt.account, count: account.count + 1, at: attempt.at)
            return account.count + 1
        }
    }

    /// Takes back the count of a try whose password was not hashed, or was right. The wait after a later try stays.
    func release(_ attempt: PasswordTry) async throws {
        try await write { connection in
            try connection.lock(hash: attempt.account)
            try connection.execute(.releaseFailure, [.hash(attempt.account), .time(attempt.at)])
        }
    }

    /// Counts a wrong password for its network. If it was tried for an address that signs in, that has it counted
    /// already.
    func countFailure(of network: TokenHash, at moment: Timestamp) async throws {
        try await write { connection in
            try connection.lock(hash: network)
            let count = try connection.failures(.network, network, at: moment).count
            try connection.keep(.network, network, count: count + 1, at: moment)
        }
    }

    /// Throws ``AccountError/Code/rateLimited`` while a network has to wait.
    func requireNoWait(of network: TokenHash, at moment: Timestamp) async throws {
        let end = try await read { try $0.failures(.network, network, at: moment).blockedUntil }
        guard end <= moment else {
            throw AccountError(
                .rateLimited, "too many wrong passwords were tried from this network", retryAfter: end - moment)
        }
    }

    /// Turns a password off after too many wrong ones, and tells its person by mail.
    /// - Parameter version: that of the password that was tried.
    /// - Returns: the account whose password was turned off; nil where there is none, or it was off before, or its
    ///   person has proven who they are or set another password since.
    func turnPasswordOff(
        _ attempt: PasswordTry, _ version: Int64, mail: PasswordMail?, from caller: Caller
    ) async throws -> AccountID? {
        try await write { connection in
            guard let found = try connection.emailIdentity(of: attempt.form), found.password?.isOff == false,
                try connection.lock(account: found.accountID),
                try connection.failures(.account, attempt.account, at: attempt.at).count
                    >= PasswordFailureRules.maximumForAccount,
                try connection.execute(.turnOff, [.id(found.id), .flag(true), .flag(false), .int64(version)]) > 0
            else { return nil }
            try connection.note(
                .off, of: found.id, of: found.accountID, at: attempt.at, by: .service(meeting: caller))
            try connection.enqueue(mail?.mail(to: found, link: "/forgotten"))
            return found.accountID
        }
    }
}

/// The wrong passwords of an address or a network that count now.
private struct PasswordFailureCount {
    var count: Int64 = 0
    var blockedUntil = Timestamp(microseconds: .min)
}

private enum PasswordFailureKind: String {
    case account
    case network

    var retention: Duration {
        switch self {
        case .account: PasswordFailureRules.accountRetention
        case .network: PasswordFailureRules.networkRetention
        }
    }
}

extension SQLConnection {
    /// Forgets the wrong passwords of an address, because its person has proven who they are.
    func forgetFailures(_ account: TokenHash) throws {
        try executeLater(.forgetFailures, [.hash(account)])
    }

    fileprivate func failures(
        _ kind: PasswordFailureKind, _ hash: TokenHash, at moment: Timestamp
    ) throws -> PasswordFailureCount {
        try first(.failures, [.text(kind), .hash(hash), .time(moment)]) { columns in
            var found = try PasswordFailureCount(count: columns.int64(), blockedUntil: columns.time())
            let last = try columns.time()
            if kind == .network { found.count = PasswordFailureRules.halved(found.count, since: last, at: moment) }
            return found
        } ?? PasswordFailureCount()
    }

    fileprivate func keep(
        _ kind: PasswordFailureKind, _ hash: TokenHash, count: Int64, at moment: Timestamp
    ) throws {
        try execute(
            .keepFailures,
            [
                .text(kind), .hash(hash), .int64(count), .time(moment),
                .time(moment + PasswordFailureRules.wait(after: count)), .time(moment + kind.retention),
            ])
    }
}

extension SQLStatement {
    fileprivate static let failures: Self = """
        SELECT count, blocked_until, last_failed_at FROM password_failures
        WHERE kind = ?1 AND hash = ?2 AND expires_at > ?3
        """
    fileprivate static let keepFailures: Self = """
        INSERT INTO password_failures (kind, hash, count, last_failed_at, blocked_until, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (kind, hash) DO UPDATE SET count = excluded.count, last_failed_at = excluded.last_failed_at,
            blocked_until = excluded.blocked_until, expires_at = excluded.expires_at
        """
    /// A try is only counted where nobody has to wait, so nobody has to wait without the last one.
    fileprivate static let releaseFailure: Self = """
        UPDATE password_failures SET count = count - 1,
            blocked_until = CASE WHEN last_failed_at = ?2 THEN last_failed_at ELSE blocked_until END
        WHERE kind = 'account' AND hash = ?1 AND count > 0
        """
    fileprivate static let forgetFailures: Self = """
        DELETE FROM password_failures WHERE kind = 'account' AND hash = ?1
        """
    fileprivate static let turnOff: Self = """
        UPDATE passwords SET is_off = ?2 WHERE identity_id = ?1 AND is_off = ?3 AND version = ?4
        """
}
