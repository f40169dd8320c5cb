import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("The account service for tests of apps", .timeLimit(.minutes(2)))
struct CannedAccountServiceTests {
    private func client(of service: CannedAccountService) throws -> AccountClient {
        let url = try #require(URL(string: "https://accounts.example.com"))
        return AccountClient(backend: url, app: "juice", storage: MemoryStorage()) { $0.transport = service.transport }
    }

    @Test("signs somebody in, keeps them signed in, and lets them go")
    func life() async throws {
        let url = try #require(URL(string: "https://accounts.example.com"))
        // guide
        let service = CannedAccountService(givenName: "Ada", familyName: "Lovelace")
        let client = AccountClient(backend: url, app: "juice", storage: MemoryStorage()) {
            $0.transport = service.transport
        }
        let script = AuthorizationScript(.credential(user: "001999.f2a7", identityToken: "a token"))
        let account = try await withAuthorizationScript(script) { try await client.signIn() }
        #expect(account.formattedName == "Ada Lovelace")
        // end
        #expect(account.id == CannedAccountService.accountID)
        #expect(try await client.accessToken() == "access-1.0")
        #expect(service.requests.last?.path == "/v1/sign-in/apple")
        #expect(try await client.signOut())
        #expect(await client.account == nil)
    }

    @Test("refuses what it is told to refuse, as often as it is told, and can be out of reach")
    func refusals() async throws {
        // guide
        let service = CannedAccountService()
        try service.refuse("POST /v1/sign-in/apple", status: 401, code: "nonce_mismatch", times: 1)
        // end
        let client = try client(of: service)
        let credential = TestDevice.credential()
        #expect(
            await failure { try await client.signIn(with: credential) }?.code == .refused(.nonceMismatch))
        #expect(try await client.signIn(with: credential).email == "johnny@example.com")
        service.isReachable = false
        let other = try self.client(of: service)
        #expect(await failure { try await other.signIn(with: credential) }?.code == .backendUnavailable)
    }

    @Test("answers with JSON of the test's own")
    func ownAnswer() async throws {
        let service = CannedAccountService()
        let answer = ServiceRequest(
            method: "GET", path: "/v1/notes", url: try #require(URL(string: "https://accounts.example.com/v1/notes")))
        #expect(try await service.transport.send(answer).status == 404)
        service.answer("GET /v1/notes", json: #"{"notes": []}"#, times: 1)
        #expect(String(decoding: try await service.transport.send(answer).body, as: UTF8.self) == #"{"notes": []}"#)
        #expect(try await service.transport.send(answer).status == 404)
    }
}
