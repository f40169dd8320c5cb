import AppleIDTransport
import AsyncHTTPTransport
import Foundation
import HTTPTypes
import Logging
import OpenIDConnect
import Testing

private let issuerOfMock = ProcessInfo.processInfo.environment["OIDC_PROVIDER_MOCK_URL"]

/// Runs against `oidc-provider-mock`, which `Tests/Peers/test_oidc_provider_mock.py` starts.
@Suite("A provider by other authors", .enabled(if: issuerOfMock != nil))
struct PeerTests {
    @Test("signs a person in by discovery alone, and accepts its code once")
    func signIn() async throws {
        let transport = AsyncHTTPTransport()
        do {
            try await signIn(over: transport)
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    private func signIn(over transport: AsyncHTTPTransport) async throws {
        let redirectURI = "http://127.0.0.1:9/callback"
        let client = ProviderClient(
            try ProviderConfiguration(
                id: ProviderID("mock"), issuer: #require(issuerOfMock), clientID: "client-1",
                credential: .secret("s3cret"), button: ProviderButton(name: "Mock")),
            transport: transport, logger: Logger(label: "test"))
        let (url, attempt) = try await client.begin(ProviderRequest(redirectURI: redirectURI))
        let answer = try await transport.send(
            AppleRequest(
                method: .post, url: url, headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array("sub=jo%40example.com&action=allow".utf8)))
        #expect(answer.status == 302)
        let location = try #require(answer.head.headerFields[.location])
        #expect(location.hasPrefix(redirectURI + "?"))
        let callback = try ProviderCallback(fields: fields(location.split(separator: "?")[1]), at: redirectURI)
        let identity = try await client.finish(callback, of: attempt)
        #expect(identity.subject == "jo@example.com")
        #expect(identity.issuer == issuerOfMock)
        #expect(try await failure { try await client.finish(callback, of: attempt) } == .grantRejected)
    }
}
