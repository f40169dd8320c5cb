import AppleID
import AppleIDTesting
import Foundation

/// An Apple whose answers to codes arrive changed.
struct ChangedAnswers: AppleTransport {
    let inner: EmulatorTransport
    let change: @Sendable (inout [String: Any]) -> Void

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        var response = try await inner.send(request)
        guard request.url.hasSuffix("/auth/token"), response.status == 200,
            var answer = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        else { return response }
        change(&answer)
        response.body = Array(try JSONSerialization.data(withJSONObject: answer))
        return response
    }
}
