import AppleID
import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Logging

/// A client of two registrations. Its key requests are answered with the test key, whatever else as the test says.
struct TestClient {
    struct Apple: AppleTransport {
        let keys: [UInt8]
        let others: TestTransport

        func send(_ request: AppleRequest) async throws -> AppleResponse {
            if request.url.hasSuffix("/auth/keys") { return AppleResponse(status: 200, body: keys) }
            return try await others.send(request)
        }
    }

    let transport = TestTransport(.status(500))
    let clock = TestClock()
    let client: AppleIDClient

    init(retries: RetryPolicy = .standard, instrumentation: AppleIDInstrumentation = .system) throws {
        let key = try AppleClientKey(id: "K", team: "TEAM000001", pem: P256.Signing.PrivateKey().pemRepresentation)
        client = AppleIDClient(
            clients: [
                ClientRegistration(id: "com.example.juice", kind: .app, key: key),
                ClientRegistration(id: "com.example.juice.web", kind: .service, key: key),
            ],
            transport: Apple(keys: try TestSigner.shared.keySetJSON(), others: transport), retries: retries,
            environment: clock.environment, instrumentation: instrumentation, logger: Logger(label: "test"))
    }

    /// The fields of a request's form, in order, not decoded.
    func fields(_ index: Int = 0) -> [String] {
        String(decoding: transport.requests[index].body, as: UTF8.self).split(separator: "&").map(String.init)
    }

    /// The answer of the token endpoint to a refresh, as text members; nil leaves one out.
    static func answer(_ changes: [String: String?] = [:]) -> TestTransport.Answer {
        var members = ["access_token": "\"a.token\"", "token_type": "\"Bearer\"", "expires_in": "3600"]
        for (name, value) in changes { members[name] = value }
        return .ok(Array(("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}").utf8))
    }
}

/// The error with which something fails; nil when it does not.
func failure(of body: () async throws(AppleIDError) -> Void) async -> AppleIDError? {
    do throws(AppleIDError) {
        try await body()
        return nil
    } catch {
        return error
    }
}
