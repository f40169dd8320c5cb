import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

/// An app that moves from the juice makers to the cider makers, with the keys of both.
struct MovingApp {
    static let former: TeamID = "JUICETEAM1"
    static let new: TeamID = "CIDERTEAM2"

    /// The service as it was before the app moved.
    let system: TestSystem
    private let formerClients: [ClientRegistration]

    /// - Parameter people: how many people the portal has beside its own.
    init(_ engine: Engine, people: Int = 0, hooks: [any AccountHook] = []) async throws {
        var portal = Portal.seeded(configuration: EmulatorConfiguration(baseURL: TestSystem.emulatorURL))
        portal.teams.append(Portal.Team(id: Self.new, name: "Cider Makers", apps: []))
        portal.people += (0..<people).map(Self.person)
        system = try await TestSystem(engine, portal: portal, hooks: hooks)
        formerClients = try system.emulator.clients(of: Self.former)
    }

    static func person(_ number: Int) -> Portal.Person {
        Portal.Person(id: "person\(number)", email: "person\(number)@example.com", name: "Person \(number)")
    }

    /// The portal's transfer: the new team has the app from now on.
    func accept() async throws {
        try await system.order(
            "/emulator/transfers", ["clientID": TestSystem.juice.rawValue, "team": Self.new.rawValue])
    }

    /// The service of the new team, on the same database or another one.
    func newService(
        store: AccountTransactions? = nil, configure: (inout AccountConfiguration) -> Void = { _ in }
    ) async throws -> TestSystem {
        try await TestSystem(store: store ?? system.store, sharing: system, configure: configure)
    }

    /// Asks Apple for a team.
    func questions(
        of team: TeamID, rate: Double = 1_000, over transport: (any AppleTransport)? = nil,
        environment: AppleIDEnvironment? = nil
    ) throws -> TransferQuestions {
        let apple = AppleIDClient(
            server: try .emulator(at: TestSystem.emulatorURL),
            clients: team == Self.former ? formerClients : try system.emulator.clients(of: team),
            transport: transport ?? system.apple, retries: .never, environment: system.clock.appleIDEnvironment,
            logger: TestSystem.silence)
        return TransferQuestions(
            apple: apple, client: TestSystem.juice, rate: rate,
            environment: environment ?? system.clock.appleIDEnvironment)
    }

    @discardableResult
    func export(
        to target: TeamID = new, proving: Bool = false, limit: Int? = nil, over transport: (any AppleTransport)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        try await TransferExport(
            store: system.store, questions: questions(of: Self.former, over: transport),
            target: proving ? questions(of: Self.new) : nil, environment: system.clock.appleIDEnvironment
        ).run(from: Self.former, to: target, limit: limit, progress: progress)
    }

    @discardableResult
    func `import`(
        into store: AccountTransactions? = nil, limit: Int? = nil, over transport: (any AppleTransport)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        try await TransferImport(
            store: store ?? system.store, questions: questions(of: Self.new, over: transport),
            environment: system.clock.appleIDEnvironment
        ).run(to: Self.new, limit: limit, progress: progress)
    }

    /// The lines of the file that the sending service hands over.
    func lines() async throws -> [String] {
        try await system.store.exportedPeople(from: Self.former, to: Self.new, after: nil, limit: 100_000)
            .compactMap(TransferLine.init(_:)).map(\.text)
    }

    /// Reads such lines into the store of another service.
    @discardableResult
    func receive(
        _ lines: [String], takesExistingAccounts: Bool = false, in store: AccountTransactions
    ) async throws -> ReceivedCounts {
        try await TransferImport.receive(
            lines.map { try TransferLine(parsing: $0.utf8) }, from: Self.former, to: Self.new,
            takesExistingAccounts: takesExistingAccounts, in: store, environment: system.clock.appleIDEnvironment)
    }
}

extension AccountTransactions {
    /// The teams and subjects of an account's identities.
    func people(of account: AccountID) async throws -> [String] {
        try await identities(of: account).map { "\($0.team) \($0.subject)" }
    }
}

/// Apple on a bad day: it loses answers after it has done its work, refuses for being asked too often, and is slow.
final class UnreliableApple: AppleTransport {
    private let inner: any AppleTransport
    private let clock: TestClock
    private let count = Lock(0)

    init(_ inner: any AppleTransport, clock: TestClock) {
        self.inner = inner
        self.clock = clock
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number.isMultiple(of: 7) {
            return AppleResponse(status: .tooManyRequests, headerFields: [.retryAfter: "3"], body: Array("{}".utf8))
        }
        if number.isMultiple(of: 11) { clock.advance(by: .seconds(9)) }
        let response = try await inner.send(request)
        guard number.isMultiple(of: 2) else { return response }
        throw AnswerLost()
    }
}

private struct AnswerLost: Error {}
