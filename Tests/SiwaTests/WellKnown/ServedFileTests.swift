import AppleID
import AppleIDEmulator
import AppleIDTesting
import AsyncHTTPClient
import AsyncHTTPTransport
import Configuration
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import Testing
import WellKnownFiles

@testable import siwa

@Suite("A running server's files under /.well-known")
struct ServedFileTests {
    /// Runs a server with these settings.
    private func serve(
        _ environment: [String: String], _ body: (_ url: String) async throws -> Void
    ) async throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "siwa")
        let settings = try ServeSettings.read(from: .init(provider: provider), file: SettingsFile()).get()
        let (ports, port) = AsyncStream<Int>.makeStream()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await ServeWiring.server(
            settings, logger: logger,
            onServerRunning: {
                port.yield($0)
                port.finish()
            })
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let number = try #require(await ports.first { _ in true })
            try await body("http://127.0.0.1:\(number)")
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func get(_ url: String) async throws -> AppleResponse {
        let transport = AsyncHTTPTransport(sharing: .shared)
        return try await transport.send(AppleRequest(method: .get, url: url))
    }

    /// The verify step of the emulator's portal for the domain of its Services ID.
    private func verify(_ emulator: Emulator, at url: String) async throws -> Verification {
        let body = try JSONEncoder().encode(["id": "com.example.juice.web", "domain": "localhost", "webServer": url])
        let (_, answer) = await emulator.respond(
            to: HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/portal/services/verify",
                headerFields: [.contentType: "application/json"]), body: Array(body))
        return try JSONDecoder().decode(Verification.self, from: Data(answer))
    }

    private struct Verification: Decodable {
        struct AssociationFile: Decodable {
            let path, content: String
        }
        let verified: Bool
        let associationFile: AssociationFile
    }

    @Test("are what the operator's files hold, and with Apple's file the portal verifies the domain")
    func endToEnd() async throws {
        let emulator = try await Emulator.forTests()
        try await OperatorFolder.with { files in
            var environment = try files.environment()
            environment["SIWA_PUBLIC_URL"] = "http://localhost:4000"
            environment["SIWA_DATABASE"] = files.folder.appending(path: "siwa.sqlite").path
            environment["SIWA_PORT"] = "0"
            try await serve(environment) { url in
                for file in WellKnownFile.allCases {
                    let response = try await get(url + file.path)
                    #expect(response.status == 200)
                    #expect(response.head.headerFields[.contentType] == file.contentType)
                    let content = try files.content(file)
                    #expect(String(decoding: response.body, as: UTF8.self) == content)
                }
                let before = try await verify(emulator, at: url)
                #expect(!before.verified)
                #expect(before.associationFile.path == WellKnownFile.domainAssociation.path)
                try files.write(before.associationFile.content + "\n", to: .domainAssociation)
            }
            environment[WellKnownFile.securityText.setting.variable] = nil
            try await serve(environment) { url in
                let after = try await verify(emulator, at: url)
                #expect(after.verified)
                let absent = try await get(url + WellKnownFile.securityText.path)
                #expect(absent.status == 404)
            }
        }
    }
}
