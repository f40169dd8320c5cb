import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The way out over the network. It follows no redirect and reads no answer beyond its head; both would let an app's
/// server send the emulator elsewhere, or keep it.
struct HTTPDelivery: Sendable {
    private let client: HTTPClient
    private let timeLimit: TimeAmount

    /// Runs something with a client that is shut down at its end.
    static func run<Value: Sendable>(
        timeLimit: TimeAmount = .seconds(10),
        _ body: (HTTPDelivery) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: timeLimit))
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await body(HTTPDelivery(client: client, timeLimit: timeLimit))
        }
    }

    /// - Returns: the status.
    func send(_ request: NotificationRequest) async throws -> Int {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = .POST
        outgoing.headers.add(name: "Content-Type", value: "application/json")
        outgoing.body = .bytes(ByteBuffer(string: request.body))
        return Int(try await client.execute(outgoing, timeout: timeLimit).status.code)
    }

    /// A word for what went wrong, without the addresses that errors of the network hold.
    static func reason(_ error: any Error) -> String {
        (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
    }
}
