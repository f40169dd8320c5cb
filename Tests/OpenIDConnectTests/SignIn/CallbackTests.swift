import OpenIDConnect
import Testing

@Suite("The callback of a provider")
struct CallbackTests {
    private typealias Fields = [(name: String, value: String)]

    private struct Ending: Equatable {
        var code: OpenIDConnectError.Code?
        /// Whether the code was sent.
        var isSent = false
    }

    /// Finishes a begun attempt with the provider's fields, changed, and tells what became of it and whether the code
    /// was sent.
    private func finish(
        _ test: TestClient, at redirectURI: String = TestClient.redirectURI, _ change: (inout Fields) -> Void
    ) async throws -> Ending {
        let (url, attempt) = try await test.begin()
        var fields = try test.provider.authorize(url)
        change(&fields)
        let code = try await failure { try await test.finish(fields, of: attempt, at: redirectURI) }
        return Ending(code: code, isSent: !test.network.exchanges.isEmpty)
    }

    @Test(
        "with another state, an empty one or none is refused, and its code isn't sent",
        arguments: ["other", "", nil])
    func state(state: String?) async throws {
        let found = try await finish(TestClient()) { fields in
            fields.removeAll { $0.name == "state" }
            if let state { fields.append(("state", state)) }
        }
        #expect(found == Ending(code: .stateMismatch))
    }

    @Test(
        "of another issuer is refused, and its code isn't sent",
        arguments: ["https://evil.example.com", "https://id.example.com/", "https://ID.example.com"])
    func issuer(issuer: String) async throws {
        let found = try await finish(TestClient()) { fields in
            fields.removeAll { $0.name == "iss" }
            fields.append(("iss", issuer))
        }
        #expect(found == Ending(code: .providerMixUp))
    }

    @Test("without an issuer is refused if the provider announces an issuer in each callback")
    func missingIssuer() async throws {
        let test = try TestClient()
        #expect(try await finish(test) { $0.removeAll { $0.name == "iss" } } == Ending(code: .providerMixUp))
        let provider = TestProvider()
        provider.document(["authorization_response_iss_parameter_supported": nil])
        #expect(try await finish(TestClient(provider)) { $0.removeAll { $0.name == "iss" } } == Ending(isSent: true))
    }

    @Test("with an error of another issuer is a mix-up, and its error isn't believed")
    func errorOfAnother() async throws {
        let found = try await finish(TestClient()) { fields in
            fields = [
                ("error", "access_denied"), ("state", fields["state"] ?? ""), ("iss", "https://evil.example.com"),
            ]
        }
        #expect(found == Ending(code: .providerMixUp))
    }

    @Test(
        "with an error says who has to act",
        arguments: [
            ("access_denied", OpenIDConnectError.Code.accessDenied), ("login_required", .authorizationRejected),
            ("temporarily_unavailable", .providerUnavailable), ("server_error", .providerUnavailable),
            ("unauthorized_client", .clientRejected), ("<script>", .authorizationRejected),
        ])
    func error(word: String, code: OpenIDConnectError.Code) async throws {
        let found = try await finish(TestClient()) { fields in
            fields = [("error", word), ("state", fields["state"] ?? ""), ("iss", fields["iss"] ?? "")]
        }
        #expect(found == Ending(code: code))
    }

    @Test("at the redirect URI of another provider is refused, and its code isn't sent")
    func redirectURI() async throws {
        let found = try await finish(TestClient(), at: "https://app.example.com/sign-in/other/callback") { _ in }
        #expect(found == Ending(code: .providerMixUp))
    }

    @Test(
        "is malformed when a field comes twice or is too long, with a token, and with code and error",
        arguments: [
            [("code", "a"), ("code", "b")], [("state", "a"), ("state", "a")], [("code", "a\u{0}")],
            [("code", String(repeating: "a", count: 4_097))], [("code", "a"), ("error", "access_denied")],
            [("code", "a"), ("id_token", "b")], [("code", "a"), ("access_token", "b")],
            [("other", String(repeating: "a", count: 16_384))],
        ])
    func malformed(fields: [(String, String)]) async throws {
        #expect(
            try await failure {
                try ProviderCallback(
                    fields: fields.map { (name: $0.0, value: $0.1) }, at: TestClient.redirectURI)
            } == .malformedCallback)
    }

    @Test("without a code or an error is malformed")
    func empty() async throws {
        #expect(
            try await finish(TestClient()) { $0.removeAll { $0.name == "code" } } == Ending(code: .malformedCallback))
    }

    @Test("with unknown fields is accepted")
    func unknownFields() async throws {
        #expect(try await finish(TestClient()) { $0.append(("session_state", "x")) } == Ending(isSent: true))
    }
}
