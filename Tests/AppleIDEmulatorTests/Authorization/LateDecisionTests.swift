import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("A decision that comes after the portal has changed")
struct LateDecisionTests {
    /// A request that was checked before.
    private func request(_ emulator: TestEmulator) throws -> AuthorizationRequest {
        var parameters = AuthorizationParameters()
        parameters.clientID = "com.example.juice.web"
        parameters.redirectURI = TestEmulator.callback
        parameters.responseType = "code"
        return try emulator.emulator.core.rules.check(parameters)
    }

    @Test(
        "is refused with the name of the missing entry, and stores nothing",
        arguments: [
            ("people", "johnny", "unknown_person"), ("services", "com.example.juice.web", "invalid_client"),
        ])
    func gone(what: String, id: String, code: String) async throws {
        let emulator = try await TestEmulator()
        let core = emulator.emulator.core
        let (request, johnny) = (try request(emulator), try core.person("johnny"))
        #expect(try await emulator.call("/emulator/portal/\(what)/remove", ["id": id]).status == 204)
        let refusal = await #expect(throws: Refusal.self) {
            _ = try await core.recordConsent(request, by: johnny, Consent(proposedFor: johnny))
        }
        #expect(refusal?.code.rawValue == code)
        #expect(core.current.grants.keys.isEmpty)
        #expect(core.current.authorizations.codes.count == 0)
    }

    @Test("is checked against the person's current entry in the portal")
    func changed() async throws {
        let emulator = try await TestEmulator()
        let core = emulator.emulator.core
        let (request, johnny) = (try request(emulator), try core.person("johnny"))
        let person = ["id": "johnny", "email": "new@example.com", "twoFactor": false] as [String: any Sendable]
        #expect(try await emulator.call("/emulator/portal/people", person).status == 200)
        let refusal = await #expect(throws: Refusal.self) {
            _ = try await core.recordConsent(request, by: johnny, Consent(proposedFor: johnny))
        }
        #expect(refusal?.code == .twoFactorRequired)
    }
}
