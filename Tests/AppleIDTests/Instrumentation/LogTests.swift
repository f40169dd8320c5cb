import AppleIDTypes
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import AppleID

@Suite("Logs")
struct LogTests {
    let handler: InMemoryLogHandler
    let transport: TestTransport
    let clock = TestClock()
    let client: AppleIDClient

    init() throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        self.handler = handler
        transport = TestTransport(.ok(try TestSigner.shared.keySetJSON()))
        let clients = Array(try TestClient().client.clients.values)
        client = AppleIDClient(
            clients: clients, transport: transport, environment: clock.environment,
            logger: Logger(label: "test") { [handler] _ in handler })
    }

    /// The log's entries, one line each: level, message and metadata.
    private var lines: [String] {
        handler.entries.map { entry in
            let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ([entry.level.rawValue, entry.message.description] + metadata).joined(separator: " ")
        }
    }

    private func exchange(_ nonce: ExchangeNonce) async -> AppleIDError? {
        await failure { () async throws(AppleIDError) in
            _ = try await client.exchange(
                code: "c.private", client: "com.example.juice.web", nonce: nonce,
                redirectURI: "https://private.example.com/", codeVerifier: "v.private")
        }
    }

    @Test("An exchange logs how many keys there are, and nothing of what it sends or gets, good or refused")
    func exchange() async throws {
        let claims = [
            "aud": "\"com.example.juice.web\"", "nonce": "\"n.private\"", "sub": "\"s.private\"",
            "email": "\"private@example.com\"",
        ]
        let token = try TestSigner.shared.token(.identity(claims))
        let answer = TestClient.answer([
            "access_token": "\"a.private\"", "refresh_token": "\"r.private\"", "id_token": "\"\(token)\"",
        ])
        transport.answer(
            .ok(try TestSigner.shared.keySetJSON()), answer, answer,
            .status(400, #"{"error":"invalid_grant","error_description":"private detail"}"#),
            .status(500, "private page"))
        #expect(await exchange(.issued("n.private")) == nil)
        #expect(await exchange(.noneSent)?.code == .nonceMismatch)
        #expect(await exchange(.noneSent)?.code == .grantRejected)
        #expect(await exchange(.noneSent)?.code == .exchangeOutcomeUnknown)
        // Refusals are the caller's to log, who knows whom they concern.
        #expect(lines == ["debug fetched the key set keys=1 provider=apple"])
    }

    @Test("A failed fetch of the keys logs its code, and not what came instead")
    func keys() async throws {
        transport.answer(.status(403, "private page"), .ok(Array("private".utf8)), .failure(TestTransport.Lost()))
        for _ in 0..<3 {
            #expect(await exchange(.noneSent)?.code == .keysUnavailable)
            clock.advance(by: 5)
        }
        let failed = ["apple_unavailable", "malformed_answer", "apple_unavailable"].map {
            "info could not fetch the key set error=\($0) provider=apple"
        }
        #expect(lines.filter { $0.hasPrefix("info") } == failed)
        // An answer is an answer, whatever it says; the third time there was none.
        #expect(
            lines.filter { !$0.hasPrefix("info") }
                == ["warning Apple cannot be reached. cause=other host=appleid.apple.com suppressed=0"])
    }

    @Test("A repetition logs which call it is and how often it was tried")
    func repetition() async throws {
        transport.answer(.status(500, "private page"), .failure(TestTransport.Lost()), .status(200))
        try await client.revoke(RefreshToken("r.private"), client: "com.example.juice")
        #expect(
            lines.filter { $0.hasPrefix("debug") }
                == [1, 2].map { "debug asking Apple again attempts=\($0) call=revocation" })
        #expect(!lines.contains { $0.contains("private") })
    }

    @Test("A failing archive is logged with the type of its error, and without its description")
    func archive() async throws {
        struct Broken: Error, CustomStringConvertible {
            var description: String { "private" }
        }
        let cache = KeyCache(
            server: .apple, transport: transport,
            archive: KeySetArchive(load: { throw Broken() }, save: { _, _ in throw Broken() }),
            environment: clock.environment, logger: Logger(label: "test") { [handler] _ in handler })
        _ = try await cache.key("TESTKEY001")
        // The archive is given the set after everybody who waited for a key has it.
        _ = await failure { () async throws(AppleIDError) in _ = try await cache.key("random") }
        let broken = lines.filter { $0.contains("archive") }
        #expect(broken.first?.hasPrefix("info could not read the archived key set error=") == true)
        #expect(broken.allSatisfy { $0.hasSuffix("Broken") && !$0.contains("private") })
    }
}
