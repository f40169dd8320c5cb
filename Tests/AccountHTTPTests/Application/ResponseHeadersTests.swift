import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Headers of every answer")
struct ResponseHeadersTests {
    @Test(
        "Pages cannot be framed, scripted or sniffed",
        arguments: ["/", "/account", "/nothing", "/sign-in/apple?return=x"])
    func pages(path: String) async throws {
        try await withService { client, _ in
            let answer = try await client.page(path)
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            let directives = policy.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(
                Set(directives) == [
                    "default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'self'",
                    "frame-ancestors 'none'", "base-uri 'none'",
                ])
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Referrer-Policy") == "same-origin")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("JSON is not sniffed and not stored", arguments: ["/healthz", "/readyz", "/v1/account", "/v1/nothing"])
    func json(path: String) async throws {
        try await withService { client, _ in
            let answer = try await client.send(.get, path)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.contentType] == "application/json")
        }
    }

    @Test("Every answer has its own id, which the client can't choose")
    func requestID() async throws {
        try await withService { client, _ in
            let name = try #require(HTTPField.Name("X-Request-ID"))
            let one = try await client.send(.get, "/healthz", [name: "mine"]).header("X-Request-ID")
            let other = try await client.send(.get, "/healthz", [name: "mine"]).header("X-Request-ID")
            #expect(one != nil && one != "mine" && one != other)
        }
    }

    @Test("A request's id is 32 random hexadecimal digits")
    func requestIDForm() async throws {
        try await withService { client, _ in
            var ids: [String] = []
            for _ in 0..<16 {
                ids.append(try #require(try await client.send(.get, "/healthz").header("X-Request-ID")))
            }
            #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
            // Each half of an id differs from that of every other id, and ids do not come in order.
            #expect(Set(ids.map { $0.prefix(16) }).count == ids.count)
            #expect(Set(ids.map { $0.suffix(16) }).count == ids.count)
            #expect(ids != ids.sorted())
        }
    }

    @Test(
        "Strict transport security is sent only over https, and never for this machine's own host",
        arguments: [
            ("https://juice.example.com", "max-age=31536000"), ("http://localhost:4000", nil),
            ("https://localhost:4000", nil), ("https://127.0.0.1:4000", nil), ("https://[::1]:4000", nil),
        ])
    func strictTransport(publicURL: String, expected: String?) async throws {
        try await withService(publicURL: publicURL) { client, _ in
            for path in ["/", "/healthz", "/nothing"] {
                let value = try await client.send(.get, path).headers[.strictTransportSecurity]
                #expect(value == expected)
            }
        }
    }

    @Test("The style sheet and icon that a page names can be fetched, and cached for ever")
    func assets() async throws {
        try await withService { client, _ in
            let html = try await client.page("/").text
            let paths = html.matches(of: #/href="(/assets/[^"]+)"/#).map { String($0.1) }
            #expect(paths.count == 2)
            for path in paths {
                let answer = try await client.send(.get, path)
                #expect(answer.status == .ok)
                #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
                let type = answer.headers[.contentType]
                #expect(type == (path.hasSuffix(".css") ? "text/css; charset=utf-8" : "image/svg+xml"))
            }
        }
    }
}
