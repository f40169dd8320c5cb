import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks what has just been started whether it answers.
struct ReadinessCheck: Sendable {
    /// nil for what any client trusts.
    let tls: TLSConfiguration?

    /// - Throws: When one of them does not answer, within five seconds, with status 200.
    func expectAnswers(from urls: [String]) async throws {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // Both listen already: what fails once will fail again, and the first reason says most.
        configuration.connectionPool.retryConnectionEstablishment = false
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            for url in urls {
                let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
                guard answer.status == .ok else {
                    throw Failure("\(url) answers with status \(answer.status.code)")
                }
            }
        }
    }
}
