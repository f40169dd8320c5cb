import AppleIDTransport
import Logging
import OpenIDConnect
import Testing

/// The code of Docs/openid-connect.md, between the markers.
@Suite("The guide to other providers")
struct GuideTests {
    private let provider = TestProvider()

    private func makeClient(transport: TestNetwork, secret: String, logger: Logger) throws -> ProviderClient {
        // guide
        let configuration = try ProviderConfiguration(
            id: ProviderID("example"), issuer: "https://id.example.com", clientID: "client-1",
            credential: .secret(secret), button: ProviderButton(name: "Example"))
        let client = ProviderClient(configuration, transport: transport, logger: logger)
        // end
        #expect(client.configuration.id == configuration.id)
        // The tokens of these tests are of a time long past.
        return ProviderClient(
            configuration, transport: transport, environment: provider.clock.environment, logger: logger)
    }

    private func begin(_ client: ProviderClient) async throws -> (url: String, attempt: ProviderAttempt) {
        // guide
        let redirectURI = "https://app.example.com/sign-in/example/callback"
        let (url, attempt) = try await client.begin(ProviderRequest(redirectURI: redirectURI))
        // Keep the attempt, sealed and tied to this browser, and send the browser to the URL.
        // end
        return (url, attempt)
    }

    private func finish(
        _ client: ProviderClient, _ fields: [(name: String, value: String)], _ attempt: ProviderAttempt
    ) async -> String {
        let redirectURI = "https://app.example.com/sign-in/example/callback"
        // guide
        do throws(OpenIDConnectError) {
            let callback = try ProviderCallback(fields: fields, at: redirectURI)
            // Take the attempt that the state and the browser's cookie name, and delete it.
            let identity = try await client.finish(callback, of: attempt)
            return "signed in: \(identity.issuer) \(identity.subject)"
        } catch {
            switch error.kind {
            case .token: return "refused"
            case .signInAgain: return "start again"
            case .configuration: return "tell the operator: \(error)"
            default: return "try again later"
            }
        }
        // end
    }

    private func verify(
        _ client: ProviderClient, _ idToken: String, _ challenge: String
    ) async throws(OpenIDConnectError) -> VerifiedProviderIdentity {
        // guide
        let identity = try await client.verify(idToken, nonce: .issued(challenge), maximumAge: .seconds(600))
        // end
        return identity
    }

    @Test("works as it stands there")
    func guide() async throws {
        let client = try makeClient(
            transport: TestNetwork(provider), secret: "s3cret", logger: Logger(label: "test"))
        let (url, attempt) = try await begin(client)
        #expect(
            try await finish(client, provider.authorize(url), attempt) == "signed in: https://id.example.com person-1")
        #expect(await finish(client, [], attempt) == "refused")
        #expect(try await verify(client, provider.token(), "nonce-1").subject == "person-1")
    }
}
