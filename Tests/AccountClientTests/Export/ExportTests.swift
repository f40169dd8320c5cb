import AccountClient
import Foundation
import Testing

@Suite("Exporting the account", .timeLimit(.minutes(2)))
struct ExportTests {
    private let device = TestDevice()

    @Test("The document is handed on as it is, also where it is longer than other answers")
    func document() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/account/export") { _ in
            ServiceAnswer(status: 200, body: Data(#"{"accountID":"acc_1","newer":true}"#.utf8))
        }
        let document = try await client.exportAccount()
        #expect(String(decoding: document, as: UTF8.self) == #"{"accountID":"acc_1","newer":true}"#)
        let request = try #require(device.service.requests("GET /v1/account/export").first)
        #expect(request.maximumAnswerBytes > 1_000_000)
        #expect(request.headers["Authorization"] == "Bearer access-1.0")
    }
}
