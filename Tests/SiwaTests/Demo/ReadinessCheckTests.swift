import CommandIO
import Foundation
import Hummingbird
import HummingbirdTLS
import Logging
import NIOSSL
import ServiceLifecycle
import Testing

@testable import siwa

@Suite("The demo's readiness check")
struct ReadinessCheckTests {
    /// Runs a server that presents the certificate.
    private func withServer(_ tls: LocalTLS, _ body: (_ url: String) async throws -> Void) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let router = Router()
        router.get("readyz") { _, _ in HTTPResponse.Status.ok }
        let application = Application(
            router: router,
            server: try .tls(.http1(), tlsConfiguration: try tls.serverConfiguration()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { port.yield(number) }
                port.finish()
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(services: [application], logger: application.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let number = try #require(await ports.first { _ in true })
            try await body("https://localhost:\(number)")
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test("trusts the demo's root, and exactly that")
    func trust() async throws {
        try await withDataFolder { folder in
            let tls = try LocalTLS.open(in: folder, at: Date())
            let other = try await withDataFolder { try LocalTLS.open(in: $0, at: Date()) }
            try await withServer(tls) { url in
                try await ReadinessCheck(tls: try tls.clientConfiguration()).expectAnswers(from: [url + "/readyz"])
                for wrong in [try other.clientConfiguration(), nil] {
                    await #expect(throws: (any Error).self) {
                        try await ReadinessCheck(tls: wrong).expectAnswers(from: [url + "/readyz"])
                    }
                }
            }
        }
    }

    @Test("says which URL answers badly")
    func status() async throws {
        try await withDataFolder { folder in
            let tls = try LocalTLS.open(in: folder, at: Date())
            try await withServer(tls) { url in
                let check = ReadinessCheck(tls: try tls.clientConfiguration())
                let failure = await #expect(throws: Failure.self) {
                    try await check.expectAnswers(from: [url + "/readyz", url + "/nothing"])
                }
                #expect(failure?.problem == "\(url)/nothing answers with status 404")
            }
        }
    }
}
