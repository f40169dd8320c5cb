import Testing

@testable import AppleIDEmulator

@Suite("How clients write a space")
struct SpaceEncodingTests {
    private static let rest =
        "&client_id=com.example.juice.web&redirect_uri=http%3A%2F%2Flocalhost%3A4000%2Fsign-in%2Fapple%2Fcallback"

    @Test(
        "a plus between scopes is read as a space, which many libraries send and Apple's page accepts",
        arguments: ["name+email", "name%20email", "openid+name+email"])
    func scopes(_ scope: String) async throws {
        let emulator = try await TestEmulator()
        let back = try await SheetVisit(emulator: emulator).walk(
            "/auth/authorize?response_type=code+id_token&response_mode=form_post&scope=\(scope)\(Self.rest)")
        #expect(back["id_token"] != nil)
        #expect(back["user"]?.contains("Johnny") == true)
        #expect(back["user"]?.contains("johnny@example.com") == true)
    }

    @Test("with `plusLosesScopes`, scopes with a plus between them are lost, and everything else stays the same")
    func plus() async throws {
        let emulator = try await TestEmulator { $0.behaviour.plusLosesScopes = true }
        for (scope, isLost) in [("name+email", true), ("name%20email", false)] {
            let back = try await SheetVisit(emulator: emulator).walk(
                "/auth/authorize?response_type=code+id_token&response_mode=form_post&scope=\(scope)\(Self.rest)")
            let token = try await ReceivedToken(back["id_token"], from: emulator)
            #expect((token["email"] == nil) == isLost)
            _ = try await emulator.call(
                "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice.web"])
        }
    }

    @Test("an encoded plus stays a plus")
    func encoded() async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get(
            "/auth/authorize?response_type=code&response_mode=form_post&scope=name%2Bemail\(Self.rest)",
            headers: ["accept": "application/json"])
        #expect(answer.error == "invalid_scope")
        let back = try await SheetVisit(emulator: emulator).walk(
            "/auth/authorize?response_type=code&response_mode=form_post&state=a%2Bb+c\(Self.rest)")
        #expect(back["state"] == "a+b c")
    }
}
