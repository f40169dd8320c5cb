import AccountAPI
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Health", .eachEngine)
struct HealthTests {
    @Test("The liveness check answers ok")
    func health() async throws {
        try await withService { client, _ in
            let answer = try await client.send(.get, "/healthz")
            #expect(answer.status == .ok)
            #expect(answer.text == #"{"status":"ok"}"#)
        }
    }

    @Test("The readiness check says which Apple the service uses", arguments: [TestService.emulatorURL, nil])
    func ready(emulatorURL: String?) async throws {
        try await withService(.juice(emulatorURL: emulatorURL)) { client, _ in
            let answer = try await client.send(.get, "/readyz")
            #expect(answer.status == .ok)
            #expect(try answer.decode() == ReadinessAnswer(status: .ready, apple: emulatorURL ?? "apple"))
        }
    }

    @Test("Without its store the service lives but is not ready, and nothing it answers is a 500")
    func storeClosed() async throws {
        try await withService { client, service in
            try await service.closeStore()
            #expect(try await client.send(.get, "/healthz").status == .ok)
            let answer = try await client.send(.get, "/readyz")
            #expect(answer.status == .serviceUnavailable)
            #expect(
                try answer.decode()
                    == ReadinessAnswer(status: .unavailable, apple: TestService.emulatorURL))
            try await client.send(.get, "/sign-in/apple").expectError(.unavailable, 503)
            try await client.page("/sign-in/apple").expectErrorPage(503, "This is our fault")
        }
    }
}
