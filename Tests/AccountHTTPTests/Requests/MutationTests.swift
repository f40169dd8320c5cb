import AccountAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// Damages good requests in every place, so that no reader of bytes is left out.
@Suite("Damaged requests never cause a server error")
struct MutationTests {
    @Test("A native sign-in cut off or changed anywhere")
    func native() async throws {
        try await withService { client, service in
            let good = try await service.nativeCredential(fullName: FullName(givenName: "J", nickname: "J"))
            let bytes = Array(try JSONEncoder().encode(good))
            for damaged in Self.damaged(bytes) {
                let answer = try await client.send(
                    .post, "/v1/sign-in/apple", [.contentType: "application/json"], body: ByteBuffer(bytes: damaged))
                #expect(answer.status.code < 500, "\(answer.text)")
            }
        }
    }

    @Test("The beginning of an authorization cut off or changed anywhere")
    func authorization() async throws {
        try await withService { client, service in
            let good = TestAuthorization(client: client, service: service).request()
            for damaged in Self.damaged(Array(try JSONEncoder().encode(good))) {
                let answer = try await client.send(
                    .post, "/v1/authorizations", [.contentType: "application/json"], body: ByteBuffer(bytes: damaged))
                #expect(answer.status.code < 500, "\(answer.text)")
            }
        }
    }

    @Test("Apple's form cut off or changed anywhere")
    func form() async throws {
        try await withService { client, service in
            let (cookie, form) = try await service.answerOfApple(client)
            let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .cookie: cookie]
            for damaged in Self.damaged(Array(form.utf8)) {
                let answer = try await client.send(
                    .post, "/sign-in/apple/callback", headers, body: ByteBuffer(bytes: damaged))
                #expect(answer.status.code < 500, "\(answer.text)")
            }
        }
    }

    @Test(
        "Paths and queries of every kind",
        arguments: [
            "", "*", "//", "///", "/%", "/%00", "/%2e%2e/", "/..", "/../v1/account", "/\u{FFFD}", "/?", "/??", "/?%",
            "/?return", "/sign-in/apple?", "/sign-in/apple?&&", "/sign-in/apple?return", "/sign-in/apple?%=%",
            "/sign-in/apple?return=%C0%AF", "/sign-in/apple?return=/\u{E9}", "http://evil.example/account",
            "https://evil.example", "/account#x", "/v1/account/", "/v1//account", "/v1/\u{1F34E}",
            "/authorizations/", "/authorizations/%00", "/authorizations/aut_%FF/done", "/authorizations//return",
            "/authorizations/\u{1F34E}/return", "/device?%=%",
        ]
    )
    func paths(path: String) async throws {
        try await withService { client, _ in
            for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .options, .connect] {
                let answer = try await client.send(method, path)
                #expect(answer.status.code < 500, "\(answer.text)")
            }
        }
    }

    /// Each position once: cut off there, or with another byte there.
    private static func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
        let replacements: [UInt8] = [0x00, 0x22, 0x25, 0x26, 0x2B, 0x3D, 0x5C, 0x7B, 0x80, 0xC3, 0xFF]
        return bytes.indices.map { index in
            var copy = bytes
            copy[index] = replacements[index % replacements.count]
            return index.isMultiple(of: 2) ? Array(bytes[..<index]) : copy
        }
    }
}
