import AccountAPI
import AccountHTTP
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import WellKnownFiles

@Suite("The operator's files under /.well-known")
struct OperatorFileTests {
    /// Good files, with what no parser keeps: white space, a number's form, members that nobody knows.
    static let contents: [WellKnownFile: String] = [
        .appSiteAssociation: #"{ "webcredentials": {"apps": ["ABCDE12345.com.example.juice"]}, "x": 1.50 }"# + "\n",
        .assetLinks: """
        [ {"relation": ["delegate_permission/common.get_login_creds"],
           "target": {"namespace": "web", "site": "https://www.example.com"}} ]
        """,
        .domainAssociation: "7B2276657273696F6E223A317D\r\n",
        .securityText: "# Grüße\nContact: mailto:security@example.com\nExpires: 2027-01-31T12:00:00Z\n",
    ]

    static func checked(_ file: WellKnownFile, _ text: String? = nil) throws -> CheckedFile {
        let text = try text ?? #require(contents[file])
        return try file.check(Array(text.utf8))
    }

    /// A configuration with some of the files.
    static func configuration(_ files: [WellKnownFile]) throws -> AccountHTTPConfiguration {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.wellKnownFiles = PublishedFiles(
            Dictionary(uniqueKeysWithValues: try files.map { ($0, try checked($0)) }))
        return configuration
    }

    @Test("are served byte by byte, with their media type, and may be kept for five minutes")
    func served() async throws {
        try await withService(try Self.configuration(WellKnownFile.allCases)) { client, _ in
            for file in WellKnownFile.allCases {
                let answer = try await client.send(.get, file.path)
                #expect(answer.status == .ok)
                #expect(answer.text == Self.contents[file])
                #expect(answer.headers[.contentType] == file.contentType)
                #expect(answer.headers[.cacheControl] == "public, max-age=300")
                #expect(answer.headers[.location] == nil)
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                let head = try await client.send(.head, file.path)
                #expect(head.status == .ok && head.body.readableBytes == 0)
                #expect(head.headers[.contentType] == file.contentType)
                #expect(head.headers[.cacheControl] == "public, max-age=300")
                let post = try await client.send(.post, file.path)
                try post.expectError(.methodNotAllowed, 405)
                #expect(post.headers[.allow] == "GET, HEAD")
            }
        }
    }

    @Test(
        "are 404 as any unknown path is, each by itself, unless the settings name them",
        arguments: WellKnownFile.allCases)
    func absent(file: WellKnownFile) async throws {
        let others = WellKnownFile.allCases.filter { $0 != file }
        try await withService(try Self.configuration(others)) { client, _ in
            for method in [HTTPRequest.Method.get, .post] {
                try await client.send(method, file.path).expectError(.notFound, 404)
            }
            try await client.page(file.path).expectError(.notFound, 404)
            for other in others { #expect(try await client.send(.get, other.path).status == .ok) }
        }
    }

    @Test("are found under their exact path alone")
    func paths() async throws {
        try await withService(try Self.configuration(WellKnownFile.allCases)) { client, _ in
            for path in ["/apple-app-site-association", "/security.txt"] {
                try await client.page(path).expectErrorPage(404, "Page not found")
            }
            for path in ["/.well-known/apple-app-site-association.json", "/.well-known/assetlinks"] {
                try await client.send(.get, path).expectError(.notFound, 404)
            }
        }
    }

    @Test("can change while the server runs")
    func replaced() async throws {
        let configuration = try Self.configuration([.securityText])
        try await withService(configuration) { client, _ in
            let text = "Contact: https://example.com/report\nExpires: 2028-01-31T12:00:00Z\n"
            configuration.wellKnownFiles.replace(.securityText, with: try Self.checked(.securityText, text))
            #expect(try await client.send(.get, WellKnownFile.securityText.path).text == text)
        }
    }
}
