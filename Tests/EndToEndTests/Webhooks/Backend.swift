import AccountAPI
import AccountHTTP
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TaskSignals
import Testing

/// The app's own backend: takes webhooks over a connection, as it is told to.
final class Backend: Sendable {
    static let secret = "whsec_" + Data(repeating: 3, count: 32).base64EncodedString()

    struct Delivery: Sendable {
        let headers: HTTPFields
        let body: [UInt8]

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

        var id: String? { header("webhook-id") }

        func content() throws -> WebhookBody {
            try JSONDecoder().decode(WebhookBody.self, from: Data(body))
        }

        /// Checks the signature of Standard Webhooks with code of its own.
        func isSigned(with secret: String) throws -> Bool {
            let key = try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count))))
            let signed = try Data("\(#require(id)).\(#require(header("webhook-timestamp"))).".utf8) + Data(body)
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
            let expected = "v1," + Data(code).base64EncodedString()
            return try #require(header("webhook-signature")).split(separator: " ").contains { $0 == expected }
        }
    }

    enum Mood: Sendable {
        case status(Int)
        /// Answers only when the test is over.
        case silent
    }

    private struct State {
        var mood = Mood.status(204)
        var deliveries: [Delivery] = []
    }

    private let state = Lock(State())
    private let end = AsyncStream<Never>.makeStream()

    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    func behave(_ mood: Mood) {
        state.withLock { $0.mood = mood }
    }

    /// Lets go of everybody who waits for an answer.
    func finish() {
        end.continuation.finish()
    }

    func application() -> some ApplicationProtocol {
        let router = Router()
        router.post("hooks") { request, _ in
            let body = try await request.body.collect(upTo: 65_536)
            let mood = self.state.withLock { state in
                state.deliveries.append(Delivery(headers: request.headers, body: Array(body.readableBytesView)))
                return state.mood
            }
            switch mood {
            case .status(let status):
                return Response(
                    status: HTTPResponse.Status(code: status), headers: [.location: "/hooks?again"])
            case .silent:
                for await _ in self.end.stream {}
                return Response(status: .ok)
            }
        }
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
    }
}
