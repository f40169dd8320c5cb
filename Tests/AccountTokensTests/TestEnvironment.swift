import AccountTokens
import AppleIDTransport
import Foundation
import HTTPTypes
import Logging
import TaskSignals

/// Another service with its verifier, a clock that stands still, and an account service that publishes keys.
final class TestEnvironment: AppleTransport {
    let issuer: TestIssuer
    private let state: Lock<(now: Int64, answer: AppleResponse, requests: [String])>

    init(issuer: TestIssuer = TestIssuer()) throws {
        self.issuer = issuer
        let body = try TestIssuer.keySet([issuer.publicKey])
        state = Lock((TestIssuer.issuedAt, AppleResponse(status: 200, body: body), []))
    }

    func verifier(
        issuer: String = TestIssuer.url, audience: String = TestIssuer.audience,
        instrumentation: AppleIDInstrumentation = .system
    ) throws(AccessTokenError) -> AccessTokenVerifier {
        try AccessTokenVerifier(
            issuer: issuer, audience: audience, transport: self,
            now: { Date(timeIntervalSince1970: TimeInterval(self.state.withLock { $0.now })) },
            instrumentation: instrumentation, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The URLs of all requests.
    var requests: [String] { state.withLock { $0.requests } }

    func advance(by seconds: Int64) { state.withLock { $0.now += seconds } }

    func answer(_ status: Int, _ body: [UInt8], headerFields: HTTPFields = [:]) {
        let answer = AppleResponse(status: HTTPResponse.Status(code: status), headerFields: headerFields, body: body)
        state.withLock { $0.answer = answer }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        state.withLock { state in
            state.requests.append(request.url)
            return state.answer
        }
    }
}
