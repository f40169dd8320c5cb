import AccountDatabase
import AccountEngines
import AppleIDTypes
import TaskSignals
import Testing

@testable import AccountService

@Suite("A merge whose server dies", .eachEngine)
struct MergeDeathTests {
    @Test("A server that dies at any statement leaves no change, and the merge still succeeds later")
    func killed() async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple(hidesEmail: true))
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session, hidesEmail: true)
        let plan = try await system.merges.plan(with: handle, in: session)
        let dying = DyingDatabase(system.store.database)
        let merges = try await system.merges(on: dying)
        func merge() async throws {
            _ = try await merges.merge(
                with: handle, confirming: plan.confirmation, consent: ConsentGiven(textVersion: system.consentText),
                in: session, from: .unknown)
        }
        var deaths = 0
        while deaths < 500 {
            dying.dies(.at(statement: deaths))
            do {
                try await merge()
                break
            } catch is DyingDatabase.Death {
                deaths += 1
                #expect(try await system.accounts() == [apple.account.id: true, session.account.id: true])
                #expect(try await system.merges.plan(with: handle, in: session) == plan)
            }
        }
        #expect((20..<500).contains(deaths))
        #expect(try await system.accounts() == [session.account.id: true])
        try await merge()
        #expect(try await system.mails(.merged).count == 2)
    }

    @Test("An answer that is lost after the commit is given again")
    func answerLost() async throws {
        let system = try await PasswordSystem()
        let from = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let dying = DyingDatabase(system.store.database)
        let merges = try await system.merges(on: dying)
        dying.dies(.afterCommit)
        await #expect(throws: DyingDatabase.Death.self) {
            _ = try await merges.merge(
                with: handle, confirming: plan.confirmation, consent: nil, in: session, from: .unknown)
        }
        #expect(try await system.accounts() == [session.account.id: true])
        #expect(try await system.merge(handle, plan.confirmation, into: session).from == from)
    }
}

/// A database whose server dies in the next write.
private final class DyingDatabase: SQLDatabase {
    struct Death: Error {}

    enum Moment: Sendable {
        case never, afterCommit
        /// Before the statement of this number, from 0 on. What was asked for before has run. After the last statement,
        /// the write lives.
        case at(statement: Int)
    }

    private let base: any SQLDatabase
    private let moment = Lock(Moment.never)

    init(_ base: any SQLDatabase) { self.base = base }

    func dies(_ next: Moment) { moment.withLock { $0 = next } }

    var dialect: SQLDialect { base.dialect }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let moment = self.moment.withLock { moment in
            defer { moment = .never }
            return moment
        }
        let value = try await base.write { connection in
            guard case .at(let statement) = moment else { return try body(connection) }
            return try body(Connection(base: connection, countdown: Countdown(statement)))
        }
        if case .afterCommit = moment { throw Death() }
        return value
    }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone(body)
    }

    func close() async throws { try await base.close() }

    private final class Countdown: Sendable {
        let left: Lock<Int>

        init(_ left: Int) { self.left = Lock(left) }
    }

    private struct Connection: SQLConnection {
        let base: any SQLConnection
        let countdown: Countdown

        private func live() throws {
            guard
                countdown.left.withLock({ left in
                    left -= 1
                    return left >= 0
                })
            else { throw Death() }
        }

        func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
            try live()
            return try base.execute(statement, values)
        }

        func eachRow(
            of statement: SQLStatement, _ values: [SQLValue], visit: (inout SQLColumns) throws -> Void
        ) throws {
            try live()
            try base.eachRow(of: statement, values, visit: visit)
        }

        func run(_ batch: [SQLStep]) throws -> [Int] {
            try live()
            return try base.run(batch)
        }

        func executeLater(_ statement: SQLStatement, _ values: [SQLValue]) throws {
            try live()
            try base.executeLater(statement, values)
        }

        func lock(_ number: Int64) throws {
            try live()
            try base.lock(number)
        }

        func eraseRemoved() { base.eraseRemoved() }
    }
}
