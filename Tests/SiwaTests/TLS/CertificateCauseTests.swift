import AppleID
import AsyncHTTPClient
import AsyncHTTPTransport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import Logging
import NIOSSL
import ServiceLifecycle
import Testing

@testable import siwa

@Suite("Why a server's certificate is refused")
struct CertificateCauseTests {
    /// The failure of a request to a server with this certificate.
    /// - Parameter trust: Whose certificates the client takes; nil for those that the system trusts.
    private func failure(_ tls: LocalTLS, host: String = "localhost", trust: LocalTLS?) async throws -> TransportFailure
    {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let router = Router()
        router.get("keys") { _, _ in HTTPResponse.Status.ok }
        let application = Application(
            router: router,
            server: try .tls(.http1(), tlsConfiguration: try tls.serverConfiguration()),
            configuration: ApplicationConfiguration(
                address: .hostname(host == "localhost" ? "127.0.0.1" : host, port: 0)),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { port.yield(number) }
                port.finish()
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try trust?.clientConfiguration(), redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        let transport = AsyncHTTPTransport(sharing: client, timeLimit: .seconds(300))
        let group = ServiceGroup(services: [application], logger: application.logger)
        let failure = try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let number = try #require(await ports.first { _ in true })
            let failure = await #expect(throws: TransportFailure.self) {
                try await transport.send(
                    AppleRequest(method: .get, url: "https://\(host):\(number)/keys?secret=1"))
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return failure
        }
        try await client.shutdown()
        return try #require(failure)
    }

    private static let year: TimeInterval = 365 * 86_400

    @Test("a certificate that has expired, or is not valid yet", arguments: [-1.0, 1])
    func dates(years: Double) async throws {
        let tls = try LocalTLS(owner: "test", domain: nil, at: Date().addingTimeInterval(years * Self.year))
        let failure = try await failure(tls, trust: tls)
        #expect(failure.cause == (years < 0 ? .certificateExpired : .certificateNotYetValid))
        #expect(failure.host.hasPrefix("localhost:"))
        #expect(!"\(failure)".contains("secret"))
    }

    @Test("a certificate of an untrusted authority")
    func authority() async throws {
        let tls = try LocalTLS(owner: "test", domain: nil, at: Date())
        #expect(try await failure(tls, trust: nil).cause == .certificateNotTrusted)
    }

    @Test("a certificate for another name")
    func name() async throws {
        // The certificate is for localhost, 127.0.0.1 and ::1.
        let tls = try LocalTLS(owner: "test", domain: nil, at: Date())
        let cause = try await failure(tls, host: "127.0.0.2", trust: tls).cause
        #expect(cause == .certificateWrongHost)
    }
}
