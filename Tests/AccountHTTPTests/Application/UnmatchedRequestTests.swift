import AccountAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Requests that no route takes")
struct UnmatchedRequestTests {
    @Test(
        "An unknown path is 404, as JSON for programs",
        arguments: [
            "/nothing", "/v1", "/v1/nothing", "/v1/session/x", "/.well-known/nothing", "/accounts", "/%61ccount",
        ]
    )
    func notFound(path: String) async throws {
        try await withService { client, _ in
            try await client.send(.get, path).expectError(.notFound, 404)
        }
    }

    @Test("An unknown path is a page for browsers, but not where programs live")
    func notFoundPage() async throws {
        try await withService { client, _ in
            try await client.page("/nothing").expectErrorPage(404, "Page not found")
            for path in ["/v1/nothing", "/.well-known/nothing", "//v1/nothing"] {
                try await client.page(path).expectError(.notFound, 404)
            }
        }
    }

    @Test(
        "A wrong method is answered with the methods that the path allows",
        arguments: [
            (.post, "/", "GET, HEAD"), (.delete, "/sign-in/apple", "GET, HEAD"),
            (.get, "/sign-in/apple/callback", "POST"), (.get, "/sign-out", "POST"), (.put, "/account", "GET, HEAD"),
            (.get, "/v1/challenges", "POST"), (.get, "/v1/sign-in/apple", "POST"),
            (.get, "/v1/session/refresh", "POST"), (.get, "/v1/session", "DELETE"),
            (.post, "/v1/account", "DELETE, GET, HEAD, PATCH"), (.post, "/healthz", "GET, HEAD"),
            (.options, "/readyz", "GET, HEAD"), (.trace, "/.well-known/jwks.json", "GET, HEAD"),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func methodNotAllowed(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        try await withService { client, _ in
            let answer = try await client.send(method, path)
            try answer.expectError(.methodNotAllowed, 405)
            #expect(answer.headers[.allow] == allowed)
        }
    }

    @Test("A browser gets a page for a wrong method")
    func methodNotAllowedPage() async throws {
        try await withService { client, _ in
            let answer = try await client.page("/sign-out")
            answer.expectErrorPage(405, "We couldn’t read that request")
            #expect(answer.headers[.allow] == "POST")
        }
    }

    @Test("HEAD is answered like GET, without a body", arguments: ["/", "/healthz", "/nothing", "/account"])
    func head(path: String) async throws {
        try await withService { client, _ in
            let get = try await client.send(.get, path)
            let head = try await client.send(.head, path)
            #expect(head.status == get.status)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.contentType] == get.headers[.contentType])
        }
    }
}
