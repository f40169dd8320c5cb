package import AccountDatabase
import AppleIDTypes
package import Logging
import ServiceLifecycle

import struct Foundation.Date

/// The domain reads its database and writes to it by these methods. Each method does one thing, such as a sign-in, in at
/// most one transaction that writes: all of it is done, or nothing. Some look first, in a transaction of their own, whether
/// there is anything to write.
///
/// The methods stand in the folders of their features. This is the only caller of the database engine: it throws the
/// engine's errors as ``AccountError``, and tells the log about outages.
///
/// Times and identifiers come from the caller. Methods throw ``AccountError``: the codes named at each, and
/// ``AccountError/Code/unavailable`` when the database cannot answer or the outcome of a commit is unknown. A method's
/// work does not stop because the calling task is cancelled.
///
/// Other transactions may write between two statements of one. So a transaction never decides by a row that it has merely
/// read. It lets a unique index decide (`ON CONFLICT`), or locks the account by raising its revision. A row that was read
/// before is still right if the revision was the same then.
package struct AccountTransactions: Sendable {
    package let database: any SQLDatabase
    private let watch: DatabaseWatch

    /// Brings the database's schema up to date.
    ///
    /// Throws `AccountError` with the code `databaseTooNew` for a database that a newer program has opened.
    /// - Parameter logger: logs when the database fails, and when it works again.
    package init(on database: any SQLDatabase, logger: Logger = Logger(label: "siwa.database")) async throws {
        self.database = database
        watch = DatabaseWatch(logger: logger)
        let moment = Timestamp(Date()).microseconds
        try await watching(.writes) { try await database.migrate(AccountSchema.migrations, at: moment) }
    }

    /// - Parameter database: stays as it is. Its schema is up to date, or another program's.
    private init(unchanged database: any SQLDatabase, logger: Logger) {
        self.database = database
        watch = DatabaseWatch(logger: logger)
    }

    /// Opens the place where the accounts are kept, and brings its schema up to date.
    ///
    /// Throws ``AccountError`` with the code `configuration` or `unavailable` when it cannot be opened, and
    /// `databaseTooNew` when a newer program has opened it.
    /// - Parameter logger: logs when the database fails, and when it works again.
    package static func open(
        _ storage: AccountStorage, logger: Logger = Logger(label: "siwa.database")
    ) async throws -> Self {
        let database = try await engine(storage, logger)
        do {
            return try await Self(on: database, logger: logger)
        } catch {
            try await database.close()
            throw error
        }
    }

    /// Opens the place where the accounts are kept for callers that only read, and changes nothing there.
    ///
    /// Throws ``AccountError`` as ``open(_:logger:)`` does.
    package static func openAsItIs(
        _ storage: AccountStorage, logger: Logger = Logger(label: "siwa.database")
    ) async throws -> DatabaseAsItIs {
        let database = try await engine(storage, logger)
        do {
            let state = try await database.schemaState(of: AccountSchema.migrations)
            if state == .current { return .current(Self(unchanged: database, logger: logger)) }
            try await database.close()
            return state == .older ? .older : .empty
        } catch let error as SQLDatabaseError {
            try await database.close()
            throw AccountError(error)
        }
    }

    /// Opens the database of another program, for ``ForeignDatabase`` alone: none of this program's tables is in it.
    ///
    /// Throws ``AccountError`` with the code `configuration` or `unavailable` when it cannot be opened.
    static func openForeign(_ storage: AccountStorage, logger: Logger) async throws -> Self {
        Self(unchanged: try await engine(storage, logger), logger: logger)
    }

    private static func engine(_ storage: AccountStorage, _ logger: Logger) async throws -> any SQLDatabase {
        do {
            return try await storage.open(logger)
        } catch let error as SQLDatabaseError {
            throw AccountError(error)
        }
    }

    /// Refuses new work, does what was asked for before, and closes the database. A second call waits for the first.
    package func close() async throws { try await database.close() }

    /// Runs a body that only reads, in one snapshot of everything committed before the call.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await watching(.reads) { try await database.read(body) }
    }

    /// The rows that one statement finds by their keys: few, and without looking at many.
    package func lookUp<Value: Sendable>(
        _ statement: SQLStatement, _ values: @autoclosure () throws -> [SQLValue],
        decode: @escaping @Sendable (inout SQLColumns) throws -> Value
    ) async throws -> [Value] {
        try await watching(.reads) { try await database.lookUp(statement, values(), decode: decode) }
    }

    /// Runs a body as one transaction: all of it is kept when this returns, nothing when it throws.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await watching(.writes) { try await database.write(body) }
    }

    /// Runs a transaction that locks people. Runs it once more if it throws ``PersonNotLocked``: while it waited for a lock,
    /// another transaction has changed what it must lock.
    ///
    /// Throws ``AccountError/Code/unavailable`` if that happens twice.
    func lockingPeople<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await write(body)
        } catch is PersonNotLocked {
            do {
                return try await write(body)
            } catch is PersonNotLocked {
                throw AccountError(.unavailable, "The account's identities changed at the same time.")
            }
        }
    }

    /// Asks the engine, takes note of how that ends, and throws an engine's error as the domain's.
    private func watching<Value>(
        _ part: DatabaseWatch.Part, _ work: () async throws -> Value
    ) async throws -> Value {
        try await watch.watching(part) {
            do {
                return try await work()
            } catch let error as SQLDatabaseError {
                throw AccountError(error)
            }
        }
    }

    /// Throws ``AccountError/Code/unavailable`` unless the database answers.
    package func check() async throws {
        _ = try await read { connection in
            try connection.first(.ping, []) { try $0.int64() }
        }
    }
}

/// The facts that the database keeps about itself, in a table of one row.
extension AccountTransactions {
    /// Notes for whose Apple this store is, if nobody has yet.
    /// - Parameter apple: `apple`, or the URL of an emulator.
    /// - Returns: whose it is: the parameter, or what an earlier start wrote.
    package func bind(toIssuer apple: String) async throws -> String {
        try await write { connection in
            try connection.execute(.claim, [.text(apple)])
            guard let owner = try connection.first(.owner, [], decode: { try $0.text() }) else {
                throw AccountError(.unavailable, "The database did not keep whose it is.")
            }
            return owner
        }
    }

    /// Notes the moment from which on user codes are stored under a key, unless an earlier start has noted an earlier one. In
    /// a store that no former version has used, it is the beginning of time.
    /// - Returns: the moment that counts.
    package func userCodesKeyed(from moment: Timestamp) async throws -> Timestamp {
        try await write { connection in
            try connection.execute(.noteKeyedUserCodes, [.time(moment)])
            return try connection.first(.keyedUserCodes, [], decode: { try $0.time() }) ?? moment
        }
    }
}

/// A transaction has found that it must lock a person, or an account, that it has not locked.
/// ``AccountTransactions/lockingPeople(_:)`` runs it once more.
struct PersonNotLocked: Error {}

/// A database that was opened without bringing its schema up to date.
package enum DatabaseAsItIs: Sendable {
    /// The database has no tables of this program.
    case empty
    /// An older program has opened the database last.
    case older
    case current(AccountTransactions)
}

/// In a service group, put it before the services that use it. The group stops its services in reverse order, so the
/// database is closed last.
extension AccountTransactions: NamedService {
    package func run() async throws {
        // If the group was cancelled rather than shut down, the database is closed all the same.
        await untilShutdown()
        try await close()
    }
}

extension AccountError {
    /// The domain's error for an engine's.
    package init(_ error: SQLDatabaseError) {
        let code: Code =
            switch error.code {
            case .configuration: .configuration
            case .invalidText: .invalidText
            case .tooNew: .databaseTooNew
            case .unavailable: .unavailable
            }
        self.init(code, error.reason, cause: error.cause, file: error.file, line: error.line)
    }
}

extension SQLStatement {
    fileprivate static let claim: Self = """
        INSERT INTO belongs_to (singleton, apple, user_codes_keyed_from) VALUES (1, ?1, 0)
        ON CONFLICT (singleton) DO NOTHING
        """
    fileprivate static let noteKeyedUserCodes: Self = """
        UPDATE belongs_to SET user_codes_keyed_from = ?1
        WHERE user_codes_keyed_from IS NULL OR user_codes_keyed_from > ?1
        """
    fileprivate static let keyedUserCodes: Self = "SELECT user_codes_keyed_from FROM belongs_to"
    fileprivate static let owner: Self = "SELECT apple FROM belongs_to WHERE singleton = 1"
    fileprivate static let ping: Self = "SELECT count(*) FROM belongs_to"
}

/// The order in which transactions lock, everywhere. A transaction that needs several of these goes down the list and
/// never up, so that no two wait for each other:
///
/// 1. people (``SQLConnection/lock(person:)``), where a transaction decides about somebody who may have no row yet, or
///    whose rows are found by the person and not by the account: sign-in, reauthentication, revocation, deletion by
///    whomever, Apple's notifications, what a late code brought, the import of people, and the transfer of an app's
///    people. An import locks all people of a batch, and a transfer a person at both teams, in the order of their hashes;
/// 2. what is used up: notes of used things in the order in which they are given, then a code of ours or a link from a
///    mail. A transaction that removes all links of an address holds the address's person, and then does so where it
///    likes. A deletion and a merge remove the links of their account when they have locked it, also one to the address
///    of a person whom they don't hold. They may meet a request for a link to that address crosswise;
/// 3. a notification's own row, and a person's pending profile;
/// 4. accounts, by raising their revision; several of them, which a merge, a handle and an import need, in the order of their
///    ids. A transaction that has one may change its identities and Apple's tokens for them from then on; the daily check,
///    which changes tokens without it, waits for nothing when it has one. Rows of transfers come after the account of their
///    identity, and are changed under the person's lock, or by a merge under the account's;
/// 5. the handles of a session's conflicts, then entries of the outbox, then the deletions that wait for them;
/// 6. counts: the wrong passwords of an address, those of a network (a transaction locks one of the two), and the mails that
///    a limit counts for a recipient;
/// 7. sessions, and what is only ever appended: events, audit.
///
/// A transaction that needs one row needs no place in it. Two may still meet crosswise where each locks several rows of
/// one table, as servers do that take entries of the outbox, or where two browsers change to each other's account at
/// once and each sign-in ends the other's former session, for which it raises that account last: PostgreSQL ends one of
/// the two, and it runs again. SQLite has one writer, whose transactions stand one after the other before their first
/// statement: nothing here costs it anything.
extension SQLConnection {
    /// Holds off every other transaction about this person until this one is over. Before anything else is locked.
    ///
    /// An account's row can only be locked once it is there. This can be held before: a notification and the first
    /// sign-in of the person that it is about would otherwise each not see what the other has not yet committed.
    func lock(person: TokenHash) throws {
        try lock(hash: person)
    }

    /// Holds off every other transaction that locks this hash until this one is over.
    func lock(hash: TokenHash) throws {
        try lock(hash.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) })
    }

    /// Locks several people, in an order that does not depend on who asks.
    func lock(people: [TokenHash]) throws {
        for person in people.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) { try lock(person: person) }
    }

    /// Locks an account until this transaction is over, by raising its revision.
    /// - Returns: false when there is no such account.
    @discardableResult
    func lock(account: AccountID) throws -> Bool {
        try execute(.lockAccount, [.id(account)]) > 0
    }

    /// Locks several accounts, in an order that does not depend on who asks.
    func lock(accounts: [AccountID]) throws {
        let ids = accounts.map(\.rawValue).sorted()
        _ = try run(ids.map { try SQLStep(.lockAccount, [.text($0)]) })
    }
}

extension SQLStatement {
    fileprivate static let lockAccount: Self = "UPDATE accounts SET revision = revision + 1 WHERE id = ?1"
}
