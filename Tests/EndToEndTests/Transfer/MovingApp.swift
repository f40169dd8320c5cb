import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

@testable import AppleIDEmulator

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
        environment: AppleIDEnvironment? = nil, onPause: @escaping @Sendable (Timestamp) -> Void = { _ in }
    ) throws -> TransferQuestions {
        let apple = AppleIDClient(
            server: try .emulator(at: TestSystem.emulatorURL),
            clients: team == Self.former ? formerClients : try system.emulator.clients(of: team),
            transport: transport ?? system.apple, retries: .never, environment: system.clock.appleIDEnvironment,
            logger: TestSystem.silence)
        return TransferQuestions(
            apple: apple, client: TestSystem.juice, rate: rate,
            environment: environment ?? system.clock.appleIDEnvironment, onPause: onPause)
    }

    /// - Parameter proof: the way to Apple by which the receiving team tries the first people.
    @discardableResult
    func export(
        to target: TeamID = new, proving: Bool = false, provingOver proof: (any AppleTransport)? = nil,
        limit: Int? = nil, over transport: (any AppleTransport)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        try await TransferExport(
            store: system.store, questions: questions(of: Self.former, over: transport),
            target: proving || proof != nil ? questions(of: Self.new, over: proof) : nil,
            environment: system.clock.appleIDEnvironment
        ).run(from: Self.former, to: target, limit: limit, progress: progress)
    }

    @discardableResult
    func `import`(
        into store: AccountTransactions? = nil, replacing: Set<AccountID> = [], limit: Int? = nil,
        over transport: (any AppleTransport)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        try await TransferImport(
            store: store ?? system.store, questions: questions(of: Self.new, over: transport),
            environment: system.clock.appleIDEnvironment
        ).run(to: Self.new, replacing: replacing, limit: limit, progress: progress)
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
        var reading = TransferReading(
            from: Self.former, to: Self.new, takesExistingAccounts: takesExistingAccounts)
        try await reading.receive(
            lines.map { try TransferLine(parsing: $0.utf8) }, in: store, environment: system.clock.appleIDEnvironment)
        return reading.counts
    }
}

extension MovingApp {
    /// An app with people who use it, as Apple and the service know it.
    /// - Parameter hiddenFromApple: people who use the app according to the service alone.
    static func withPeople(
        _ engine: Engine, _ count: Int, hiddenFromApple: Set<Int> = []
    ) async throws -> MovingApp {
        let app = try await MovingApp(engine, people: count)
        for (number, person) in app.people.enumerated() where !hiddenFromApple.contains(number) {
            _ = try await app.system.emulator.authorize(
                person: person.id, client: TestSystem.juice, hidesEmail: true, native: true)
        }
        try await app.insert(app.people)
        return app
    }

    /// The people whom a test has added, in their order. Their ids in the store are in this order, too, below 256.
    var people: [Portal.Person] { system.emulator.portal.people.filter { $0.id.hasPrefix("person") } }

    /// The subject of a person at the former team.
    func formerSubject(_ number: Int) -> String {
        PairwiseIdentity(person: people[number], team: Self.former).subject.rawValue
    }

    func transferSubject(_ number: Int) -> String {
        PairwiseIdentity(person: people[number], team: Self.former).transferSubject(to: Self.new).rawValue
    }

    /// Writes people as the service has them after a sign-in, without the work of one.
    func insert(_ people: [Portal.Person]) async throws {
        let moment = Timestamp(system.clock.now)
        for batch in stride(from: 0, to: people.count, by: 500) {
            let page = people[batch..<min(batch + 500, people.count)].enumerated().map { index, person in
                let number = batch + index
                let random = (0..<10).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 3))) }
                return (
                    account: AccountID(at: moment, randomness: random),
                    identity: IdentityID(at: moment, randomness: random),
                    subject: PairwiseIdentity(person: person, team: Self.former).subject
                )
            }
            try await system.store.write { connection in
                for person in page {
                    try connection.executeLater(
                        "INSERT INTO accounts (id, revision, created_at) VALUES (?1, 1, ?2)",
                        [.text(person.account.rawValue), .int64(moment.microseconds)])
                    try connection.executeLater(
                        """
                        INSERT INTO identities (id, account_id, provider, team, subject, email_verified, is_private_email,
                            created_at, last_sign_in_at)
                        VALUES (?1, ?2, 'apple', ?3, ?4, ?5, ?5, ?6, ?6)
                        """,
                        [
                            .text(person.identity.rawValue), .text(person.account.rawValue),
                            .text(Self.former.rawValue), .text(person.subject.rawValue), .flag(false),
                            .int64(moment.microseconds),
                        ])
                }
            }
        }
    }

    /// Lets a person have signed in after all others.
    func noteSignIn(_ number: Int) async throws {
        let (subject, moment) = (formerSubject(number), Timestamp(system.clock.now) + .hours(1))
        try await system.store.write { connection in
            _ = try connection.execute(
                "UPDATE identities SET last_sign_in_at = ?2 WHERE subject = ?1",
                [.text(subject), .int64(moment.microseconds)])
        }
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

/// Apple, but for the answers that a test gives in its place.
///
/// Such an answer comes after those to all questions before it. The test's clock goes on with each pause, and pauses
/// follow an answer at once, so a question on its way would otherwise reach Apple minutes too late.
final class AlteredApple: AppleTransport {
    private let inner: any AppleTransport
    private let answer: @Sendable (AppleRequest) -> AppleResponse?
    private let underWay = Lock((last: 0, numbers: Set<Int>()))

    /// - Parameter answer: asked about questions of a transfer; nil leaves the answer to Apple.
    init(_ inner: any AppleTransport, _ answer: @escaping @Sendable (AppleRequest) -> AppleResponse?) {
        self.inner = inner
        self.answer = answer
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        if request.url.contains("/auth/usermigrationinfo"), let own = answer(request) {
            let before = underWay.withLock { $0.numbers }
            while underWay.withLock({ !$0.numbers.isDisjoint(with: before) }) { await Task.yield() }
            return own
        }
        let number = underWay.withLock { state in
            state.last += 1
            state.numbers.insert(state.last)
            return state.last
        }
        defer { underWay.withLock { _ = $0.numbers.remove(number) } }
        return try await inner.send(request)
    }
}

extension AppleRequest {
    /// Whether a question of a transfer is about somebody with one of these subjects.
    func isAbout(_ subjects: Set<String>) -> Bool {
        // Subjects need no percent encoding.
        String(decoding: body, as: UTF8.self).split(separator: "&").contains { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && ["sub", "transfer_sub"].contains(parts[0]) && subjects.contains(String(parts[1]))
        }
    }
}

extension AppleResponse {
    /// Apple refuses to tell about a person.
    static let transferRefused = AppleResponse(
        status: .badRequest, headerFields: [.contentType: "application/json"],
        body: Array("{\"error\":\"invalid_request\"}".utf8))
    static let busy = AppleResponse(status: .serviceUnavailable, headerFields: [:], body: [])

    /// Apple wants to be asked less often.
    static func slowDown(_ seconds: Int) -> AppleResponse {
        AppleResponse(
            status: .tooManyRequests, headerFields: [.retryAfter: "\(seconds)"], body: Array("{}".utf8))
    }
}
