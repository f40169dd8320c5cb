import Testing

@testable import AppleIDEmulator

@Suite("Behaviours of /auth/authorize")
struct AuthorizationBehaviourTests {
    private let json = ["accept": "application/json"]

    private func emulator(_ change: (inout Behaviour) -> Void) async throws -> TestEmulator {
        try await TestEmulator(portal: TestPortal.withAllKinds) { change(&$0.behaviour) }
    }

    @Test("an App ID may be used on the web, with the return URLs of its group and no others")
    func appID() async throws {
        let emulator = try await emulator { $0.acceptsAppIDsOnTheWeb = true }
        let id = try await emulator.begin(["client_id": "com.example.juice"])
        let fields = try await emulator.decide(id).hiddenFields
        #expect(try await ReceivedToken(fields["id_token"], from: emulator)["aud"] == "com.example.juice")
        for client in ["com.example.soda", "org.example.cider"] {
            let path = TestEmulator.authorizePath(["client_id": client])
            #expect(try await emulator.get(path, headers: json).error == "invalid_request")
        }
    }

    @Test("an unregistered redirect URI is unauthorized_client")
    func unregistered() async throws {
        let path = TestEmulator.authorizePath(["redirect_uri": "https://juice.example.com/other"])
        let emulator = try await emulator { $0.unregisteredRedirect = .unauthorizedClient }
        #expect(try await emulator.get(path, headers: json).error == "unauthorized_client")
    }

    @Test("a refused request has status 404, as a page and as JSON")
    func notFound() async throws {
        let emulator = try await emulator { $0.refusedAuthorization = .notFound }
        let path = TestEmulator.authorizePath(["scope": "phone"])
        #expect(try await emulator.get(path).status == 404)
        let answer = try await emulator.get(path, headers: json)
        #expect(answer.status == 404)
        #expect(answer.error == "invalid_scope")
        #expect(try await emulator.get(TestEmulator.authorizePath()).status == 200)
    }

    @Test(
        "a scope that is requested for the first time is asked for once, and no other scope is",
        arguments: [true, false])
    func newScopes(_ isOn: Bool) async throws {
        let emulator = try await emulator { $0.asksForNewScopes = isOn }
        let first = try await emulator.authorize(["scope": "name"])
        #expect((first["user"] as? String)?.contains("email") == false)
        let id = try await emulator.begin()
        let sheet = try await emulator.sheet(id, "johnny")
        #expect(sheet.text.contains("type=\"radio\"") == isOn)
        #expect(!sheet.text.contains("firstName"))
        let fields = try await emulator.decide(id, isOn ? ["email": "hide"] : [:]).hiddenFields
        let token = try await ReceivedToken(fields["id_token"], from: emulator)
        if isOn {
            #expect(fields["user"]?.contains("privaterelay") == true)
            #expect(fields["user"]?.contains("firstName") == false)
            #expect(token["email"]?.contains("privaterelay") == true)
        } else {
            #expect(fields["user"] == nil)
            #expect(token["email"] == nil)
        }
        let later = try await emulator.authorize()
        #expect(later["user"] == nil)
    }
}
