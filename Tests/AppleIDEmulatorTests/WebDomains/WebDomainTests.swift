import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Domains of a Services ID", .timeLimit(.minutes(1)))
struct WebDomainTests {
    private static let web = "com.example.juice.web"

    /// A web server with the file, or with something else.
    private func withServer(
        _ content: String, _ body: @escaping @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("/.well-known/apple-developer-domain-association.txt") { _, _ in content }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ).test(.live) { app in try await body("http://127.0.0.1:\(try #require(app.port))") }
    }

    private func verify(
        _ emulator: TestEmulator, at server: String, _ changes: [String: any Sendable] = [:]
    ) async throws -> TestEmulator.Answer {
        var order: [String: any Sendable] = ["id": Self.web, "domain": "localhost", "webServer": server]
        order.merge(changes) { _, new in new }
        return try await emulator.call("/emulator/portal/services/verify", order)
    }

    @Test(
        "need no verification, unless `webDomainsNeedVerification` demands it before a redirection",
        arguments: [false, true])
    func verification(isOn: Bool) async throws {
        let emulator = try await TestEmulator { $0.behaviour.webDomainsNeedVerification = isOn }
        let before = try await emulator.get(TestEmulator.authorizePath(), headers: ["accept": "application/json"])
        #expect(before.status == (isOn ? 400 : 200))
        if isOn { #expect(before.error == "invalid_request") }
        try await withServer(AssociationFile(team: "JUICETEAM1", domain: "localhost").content) { server in
            let answer = try await verify(emulator, at: server).json
            #expect(answer["verified"] as? Bool == true)
            #expect(answer["association"] as? String == "found")
        }
        #expect(emulator.emulator.portal.teams[0].apps[0].services[0].verifiedDomains == ["localhost"])
        #expect(try await emulator.get(TestEmulator.authorizePath()).status == 200)
        let other = TestEmulator.authorizePath(["redirect_uri": "https://juice.example.com/callback?from=apple"])
        #expect(try await emulator.get(other).status == (isOn ? 400 : 200))
        // A file that is gone takes the verification along.
        try await withServer("something else") { server in
            let answer = try await verify(emulator, at: server).json
            #expect(answer["verified"] as? Bool == false)
            #expect(answer["association"] as? String == "has another content")
            #expect((answer["associationFile"] as? [String: String])?["path"] == AssociationFile.path)
        }
        #expect(try await emulator.get(TestEmulator.authorizePath()).status == (isOn ? 400 : 200))
    }

    @Test(
        "are refused with the member's name if they can't be verified",
        arguments: [
            (["id": "nobody"], 404, "unknown_service"), (["domain": "juice.example.com"], 400, "domain is not among"),
            (["webServer": "http://juice.example.com"], 400, "webServer must be https"),
            (["webServer": "https://juice.example.com/path"], 400, "webServer must be https"),
            (["colour": "red"], 400, "colour is not a member"),
        ])
    func refused(changes: [String: String], status: Int, words: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await verify(emulator, at: "http://127.0.0.1:1", changes)
        #expect(answer.status == status)
        #expect(answer.text.contains(words), "\(answer.text)")
    }

    @Test("can be declared verified, if they are domains of the Services ID")
    func declared() async throws {
        let emulator = try await TestEmulator { $0.behaviour.webDomainsNeedVerification = true }
        var service: [String: any Sendable] = [
            "app": "com.example.juice", "id": Self.web, "domains": ["localhost"],
            "returnURLs": [TestEmulator.callback], "verifiedDomains": ["example.com"],
        ]
        let refused = try await emulator.call("/emulator/portal/services", service)
        #expect(refused.status == 400)
        #expect(refused.text.contains("verifiedDomains[0]: is not among the domains"))
        service["verifiedDomains"] = ["localhost"]
        #expect(try await emulator.call("/emulator/portal/services", service).status == 200)
        #expect(try await emulator.get(TestEmulator.authorizePath()).status == 200)
    }
}
