import AccountHTTP
import AccountService
import AccountTokens
import AppleID
import AppleIDTesting
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

/// The network of somebody else's service, in which the account service's name leads to the port that it has here.
private struct OtherNetwork: AppleTransport {
    let network: AsyncHTTPTransport
    let port: Int

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        var request = request
        (request.head.scheme, request.head.authority) = ("http", "127.0.0.1:\(port)")
        return try await network.send(request)
    }
}

@Suite("Somebody else's service")
struct OtherServiceTests {
    private static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test(
        "verifies an access token with keys that it fetched, but can't know that the session has ended",
        arguments: Engine.allCases)
    func verifies(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let application = try buildApplication(domain: system.domain, port: 0, logger: Self.silence)
        try await application.test(.live) { client in
            let network = AsyncHTTPTransport()
            do {
                let other = OtherNetwork(network: network, port: try #require(client.port))
                func makeVerifier(for audience: String) throws -> AccessTokenVerifier {
                    try AccessTokenVerifier(
                        issuer: TestSystem.publicURL, audience: audience, transport: other,
                        now: { system.clock.now }, logger: Self.silence)
                }
                let signIn = try await system.domain.signIn.native(system.device())
                let token = signIn.tokens.accessToken
                let verifier = try makeVerifier(for: TestSystem.publicURL)
                let verified = try await verifier.verify(token)
                #expect(verified.accountID == signIn.account.id.rawValue)
                #expect(verified.clientID == TestSystem.juice.rawValue)
                #expect(verified.expiresAt == verified.issuedAt + 600)
                let elsewhere = try makeVerifier(for: "https://elsewhere.example")
                await #expect(throws: AccessTokenError(.audienceMismatch, "")) { try await elsewhere.verify(token) }

                // Apple's own token is for the account service alone.
                let apple = try #require(try await system.device().identityToken)
                await #expect(throws: AccessTokenError(.unsupportedAlgorithm, "")) { try await verifier.verify(apple) }

                func ask() async throws -> HTTPResponse.Status {
                    try await client.execute(
                        uri: "/v1/account", method: .get, headers: [.authorization: "Bearer \(token)"]
                    ) { $0.status }
                }
                #expect(try await ask() == .ok)
                let ended = try await client.execute(
                    uri: "/v1/session", method: .delete, headers: [.authorization: "Bearer \(token)"]
                ) { $0.status }
                #expect(ended == .noContent)
                // The token cannot tell; the account service can.
                _ = try await verifier.verify(token)
                #expect(try await ask() == .unauthorized)
                system.clock.advance(by: .seconds(660))
                await #expect(throws: AccessTokenError(.tokenExpired, "")) { try await verifier.verify(token) }
            } catch {
                try await network.shutdown()
                throw error
            }
            try await network.shutdown()
        }
    }
}
