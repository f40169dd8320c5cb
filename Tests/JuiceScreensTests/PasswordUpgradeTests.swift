import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import JuiceScreens
import Testing

@Suite("An upgrade that the system begins", .timeLimit(.minutes(1)))
struct PasswordUpgradeTests {
    @Test("It leaves no session at the account service, wherever it fails", arguments: [true, false])
    func failure(atBeginning: Bool) async throws {
        let service = CannedAccountService()
        let call = atBeginning ? "POST /v1/challenges" : "POST /v1/account/upgrade"
        try service.refuse(call, status: 409, code: "not_by_password")
        let backend = try #require(URL(string: "https://accounts.example.com"))
        let upgrade = PasswordUpgrade(settings: JuiceSettings(backend: backend)) { $0.transport = service.transport }
        let error = await #expect(throws: AccountClientError.self) {
            let nonce = try await upgrade.begin(email: "johnny@example.com", password: "a password")
            let credential = AppleCredential(
                user: "001999.f2a7", identityToken: "a token", authorizationCode: "a code", nonce: nonce)
            _ = try await upgrade.finish(with: credential)
        }
        #expect(error?.code == .refused(.notByPassword))
        #expect(service.requests.filter { $0.method == "DELETE" && $0.path == "/v1/session" }.count == 1)
    }
}
