import AccountHTTP
import AccountService
import InMemoryLogging
import Logging
import ServiceLifecycle
import TaskSignals
import Testing

@Suite("The account service as one value")
struct AccountServerTests {
    /// Notes when it begins and ends.
    private struct Noted: Service, CustomStringConvertible {
        let name: String
        let notes: Notes

        var description: String { name }

        func run() async throws {
            notes.add("\(name) begins")
            try await gracefulShutdown()
            notes.add("\(name) ends")
        }
    }

    private final class Notes: Sendable {
        private let lines = Lock<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Runs a server until it accepts connections, and then shuts it down.
    private func run(logger: Logger) async throws -> (TestService, Notes) {
        let service = try await TestService(
            publicURL: TestService.publicURL, webClient: TestService.web, logger: logger)
        let notes = Notes()
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = try buildApplication(
            domain: service.domain, configuration: .juice(), port: 0,
            onServerRunning: {
                port.yield($0)
                port.finish()
            }, logger: logger)
        let server = AccountServer(
            domain: service.domain, application: application, after: [Noted(name: "transport", notes: notes)],
            beside: [Noted(name: "reload", notes: notes)], logger: logger)
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let number = try #require(await ports.first { _ in true })
            #expect(number > 0)
            try await service.store.check()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        return (service, notes)
    }

    @Test("serves, and at a shutdown closes the database after the server, and before what it needs")
    func life() async throws {
        let (service, notes) = try await run(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(Set(notes.all.prefix(2)) == ["transport begins", "reload begins"])
        #expect(notes.all.suffix(2) == ["reload ends", "transport ends"])
        await #expect(throws: AccountError.self) { try await service.store.check() }
    }

    @Test("has each service's type in the log of its group, and not all that the service holds")
    func names() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        _ = try await run(logger: Logger(label: "test") { [handler] _ in handler })
        let names = Set(handler.entries.compactMap { $0.metadata["sl-service"]?.description })
        #expect(names.isSuperset(of: ["AccountServer", "AccountDomain", "AccountTransactions", "Sweeper", "Outbox"]))
        #expect(names.allSatisfy { $0.count < 60 }, "\(names.map { $0.prefix(60) })")
    }
}
