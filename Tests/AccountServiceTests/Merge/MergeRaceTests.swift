import AccountDatabase
import AccountEngines
import AppleIDTypes
import TaskSignals
import Testing

@testable import AccountService

@Suite("A merge at the same time as something else", .eachEngine)
struct MergeRaceTests {
    /// What a call came to: `done`, or the code of its error.
    private static func outcome(_ work: () async throws -> Void) async throws -> String {
        do {
            try await work()
            return "done"
        } catch let error as AccountError {
            return error.code.description
        }
    }

    @Test("A sign-in opens the account that remains, or its session ends")
    func signIn() async throws {
        let system = try await PasswordSystem()
        _ = try await system.signInWithApple()
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let signIns = try await atOnce(4) { index -> TokenSignIn? in
            guard index > 0 else {
                try await system.merge(handle, plan.confirmation, into: session)
                return nil
            }
            return try await system.signInWithApple()
        }.compactMap(\.self)
        #expect(signIns.count == 3)
        #expect(try await system.accountCount() == 1)
        for done in signIns {
            if done.account.id == session.account.id {
                #expect(try await system.session(of: done).account.id == session.account.id)
            } else {
                let error = await expectError(.accountMerged) { _ = try await system.session(of: done) }
                #expect(error?.mergedInto == session.account.id)
            }
        }
        #expect(try await system.signInWithApple().account.id == session.account.id)
    }

    @Test("A deletion of either comes before or after, and nobody's data stay", arguments: ["from", "into"])
    func deletion(side: String) async throws {
        let system = try await PasswordSystem()
        let apple = try await system.session(of: system.signInWithApple())
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let deleted = side == "from" ? apple : session
        let outcomes = try await atOnce(2) { index in
            let outcome = try await Self.outcome {
                if index == 0 {
                    try await system.merge(handle, plan.confirmation, into: session)
                } else {
                    _ = try await system.domain.deletions.delete(accountOf: deleted, from: .unknown)
                }
            }
            return (index, outcome)
        }.sorted { $0.0 < $1.0 }.map(\.1)
        let (merged, gone) = (outcomes[0], outcomes[1])
        switch (side, merged) {
        case ("from", "done"):
            #expect(gone == "session_ended")
            #expect(try await Array(system.accounts().keys) == [session.account.id])
        case ("from", _):
            #expect(merged == "handle_invalid" && gone == "done")
            #expect(try await Array(system.accounts().keys) == [session.account.id])
            #expect(try await system.links.list(in: session.session).count == 1)
        case (_, "done"):
            #expect(gone == "done")
            #expect(try await system.accountCount() == 0)
        default:
            #expect(merged == "session_ended" && gone == "done")
            #expect(try await Array(system.accounts().keys) == [apple.account.id])
            #expect(try await system.end(of: apple) == nil)
        }
    }

    @Test("Two of the same come to one")
    func twice() async throws {
        let system = try await PasswordSystem()
        let from = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let merged = try await atOnce(3) { _ in
            try await system.merge(handle, plan.confirmation, into: session)
        }
        #expect(merged.allSatisfy { $0.from == from && $0.account.id == session.account.id })
        #expect(try await system.accountCount() == 1)
        #expect(try await system.events(of: session.account.id).filter { $0 == .accountMerged }.count == 1)
        #expect(try await system.mails(.merged).count == 2)
    }

    @Test("Of both directions one happens")
    func bothDirections() async throws {
        let system = try await PasswordSystem()
        let johnny = try await system.session(of: system.signInWithApple("johnny"))
        let zoe = try await system.session(of: system.signInWithApple("zoe"))
        let intoJohnny = try await system.handle(for: "zoe", in: johnny)
        let intoZoe = try await system.handle(for: "johnny", in: zoe)
        let first = try await system.merges.plan(with: intoJohnny, in: johnny).confirmation
        let second = try await system.merges.plan(with: intoZoe, in: zoe).confirmation
        let outcomes = try await atOnce(2) { index in
            try await Self.outcome {
                _ =
                    index == 0
                    ? try await system.merge(intoJohnny, first, into: johnny)
                    : try await system.merge(intoZoe, second, into: zoe)
            }
        }
        #expect(outcomes.sorted() == ["account_merged", "done"])
        #expect(try await system.accountCount() == 1)
        let left = try #require(try await system.accounts().keys.first)
        #expect(try await system.store.identities(of: left).count == 2)
        #expect(try await system.signInWithApple("johnny").account.id == left)
        #expect(try await system.signInWithApple("zoe").account.id == left)
    }

    @Test("A server that dies at any statement leaves nothing, and one that dies after the commit leaves all")
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
