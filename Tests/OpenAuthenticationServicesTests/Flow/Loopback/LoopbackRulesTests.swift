import AccountAPI
import Foundation
import Testing

@testable import OpenAuthenticationServices

@Suite("Loopback listener: the rules of RFC 8252", .timeLimit(.minutes(2)))
struct LoopbackRulesTests {
    static let id = "aut_0123456789abcdef"
    static let handle = "h4nd1e-ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

    let listener: RedirectListener
    let port: UInt16
    let path: String

    init() throws {
        listener = try RedirectListener(limits: .patient)
        let url = try #require(URL(string: listener.redirectURI))
        port = UInt16(try #require(url.port))
        path = url.path()
        listener.expect(id: Self.id)
    }

    private var right: String { request("GET", "\(path)?handle=\(Self.handle)&id=\(Self.id)") }

    private func request(_ method: String, _ target: String, host: String? = nil) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\r\n"
    }

    /// Sends something that must change nothing, and then the right request.
    private func expectIgnored(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        async let redirect = listener.redirect()
        let answer = try await RawConnection.exchange(text, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"), sourceLocation: sourceLocation)
        #expect(try await RawConnection.exchange(right, port: port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try await redirect == .handle(Self.handle), sourceLocation: sourceLocation)
    }

    @Test("The URL has this machine's IP address, never a name, and an unguessable path")
    func address() async throws {
        #expect(listener.redirectURI.hasPrefix("http://127.0.0.1:\(port)/"))
        #expect(path.utf8.count == 33)
        let another = try RedirectListener()
        #expect(!another.redirectURI.hasSuffix(path))
        await another.stop()
        await listener.stop()
    }

    @Test("The right request brings the handle, and then the listener is closed")
    func success() async throws {
        async let redirect = listener.redirect()
        let answer = try await RawConnection.exchange(right, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("You can close this window and return to the app."))
        #expect(try await redirect == .handle(Self.handle))
        #expect(throws: RawConnection.Refused.self) { try RawConnection(port: port) }
    }

    @Test(
        "An error is passed on by its code, and the page tells how the sign-in ended",
        arguments: [
            ("cancelled", "Nobody was signed in."), ("denied", "Nobody was signed in."),
            ("apple_unavailable", "The sign-in has failed."), ("a_word_of_tomorrow", "The sign-in has failed."),
        ])
    func errors(word: String, sentence: String) async throws {
        async let redirect = listener.redirect()
        let answer = try await RawConnection.exchange(
            request("GET", "\(path)?error=\(word)&id=\(Self.id)"), port: port)
        #expect(answer.contains(sentence))
        #expect(answer.contains("You can close this window and return to the app"))
        #expect(try await redirect == .error(ErrorCode(rawValue: word)))
    }

    @Test("Only GET is accepted", arguments: ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get", "TRACE"])
    func methods(method: String) async throws {
        try await expectIgnored(request(method, "\(path)?handle=\(Self.handle)&id=\(Self.id)"))
    }

    @Test(
        "Only the exact path is accepted",
        arguments: ["/", "/favicon.ico", "PATH/", "PATHx", "//PATH", "/x/../PATH", "PAT"])
    func paths(template: String) async throws {
        let other =
            template == "PAT"
            ? String(path.dropLast()) : template.replacing("/PATH", with: path).replacing("PATH", with: path)
        try await expectIgnored(request("GET", "\(other)?handle=\(Self.handle)&id=\(Self.id)"))
    }

    @Test("The path is compared as it is written, and another spelling is ignored")
    func encodedPath() async throws {
        let byte = try #require(path.utf8.dropFirst().first)
        let encoded = "/%" + String(byte, radix: 16, uppercase: true) + path.dropFirst(2)
        try await expectIgnored(request("GET", "\(encoded)?handle=\(Self.handle)&id=\(Self.id)"))
    }

    @Test(
        "Only one id, of this authorization, with one handle or error is accepted",
        arguments: [
            "", "handle=HANDLE", "handle=HANDLE&id=", "handle=HANDLE&id=aut_0123456789abcdeX",
            "handle=HANDLE&id=aut_0123456789abcde", "handle=HANDLE&id=ID&id=ID", "handle=HANDLE&handle=HANDLE&id=ID",
            "id=ID", "handle=&id=ID", "handle=a%20b&id=ID", "handle=%3Cscript%3E&id=ID",
            "handle=HANDLE&error=denied&id=ID",
            "error=&id=ID", "error=denied&id=another", "handle=%zz&id=ID",
        ])
    func queries(template: String) async throws {
        let query = template.replacing("HANDLE", with: Self.handle).replacing("ID", with: Self.id)
        try await expectIgnored(request("GET", "\(path)?\(query)"))
    }

    @Test(
        "A request with another Host, as from a page that renamed 127.0.0.1, is ignored",
        arguments: [
            "localhost:PORT", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:PORT.evil.example",
            "127.1:PORT",
            "::1:PORT", "[::1]", "", "127.0.0.1:PORT, evil.example", "user@127.0.0.1:PORT",
        ])
    func hosts(template: String) async throws {
        let host = template.replacing("PORT", with: "\(port)")
        try await expectIgnored(request("GET", "\(path)?handle=\(Self.handle)&id=\(Self.id)", host: host))
    }

    @Test("A request without a Host, or with two, is ignored")
    func hostCount() async throws {
        let line = "GET \(path)?handle=\(Self.handle)&id=\(Self.id) HTTP/1.1\r\n"
        #expect(try await RawConnection.exchange(line + "\r\n", port: port).hasPrefix("HTTP/1.1 404"))
        let host = "Host: 127.0.0.1:\(port)\r\n"
        try await expectIgnored(line + host + host + "\r\n")
    }

    @Test(
        "A malformed HTTP/1 request is ignored",
        arguments: [
            "GET PATH?handle=HANDLE&id=ID\r\nHost: HOST\r\n\r\n",
            "GET  PATH?handle=HANDLE&id=ID HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET PATH?handle=HANDLE&id=ID HTTP/2.0\r\nHost: HOST\r\n\r\n",
            "GET http://HOSTPATH?handle=HANDLE&id=ID HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET PATH?handle=HANDLE&id=ID HTTP/1.1\r\nHost : HOST\r\n\r\n",
            "GET PATH?handle=HANDLE&id=ID HTTP/1.1\r\nHost: HOST\r\nnonsense\r\n\r\n", "\r\n\r\n",
        ])
    func malformed(template: String) async throws {
        try await expectIgnored(
            template.replacing("PATH", with: path).replacing("HANDLE", with: Self.handle).replacing("ID", with: Self.id)
                .replacing("HOST", with: "127.0.0.1:\(port)"))
    }

    @Test("Every request is ignored until the account service has named the authorization")
    func beforeExpectation() async throws {
        let early = try RedirectListener()
        let url = try #require(URL(string: early.redirectURI))
        let port = UInt16(try #require(url.port))
        let text = "GET \(url.path())?handle=x&id= HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        #expect(try await RawConnection.exchange(text, port: port).hasPrefix("HTTP/1.1 404"))
        await early.stop()
    }

    @Test("A browser that uses the IPv6 loopback address is accepted, at the same port")
    func bothAddresses() async throws {
        guard let probe = try? LoopbackSocket.listening(on: .ipv6, port: 0) else {
            // No ::1 here: then the port is closed there, too.
            #expect(throws: RawConnection.Refused.self) { try RawConnection(port: port, family: .ipv6) }
            return
        }
        probe.close()
        async let redirect = listener.redirect()
        let text = request("GET", "\(path)?handle=\(Self.handle)&id=\(Self.id)", host: "[::1]:\(port)")
        #expect(try await RawConnection.exchange(text, port: port, family: .ipv6).hasPrefix("HTTP/1.1 200"))
        #expect(try await redirect == .handle(Self.handle))
    }

    @Test("Every answer forbids caching, sniffing, loading resources and referrers", arguments: [true, false])
    func headers(isRight: Bool) async throws {
        let answer = try await RawConnection.exchange(isRight ? right : request("GET", "/favicon.ico"), port: port)
        for header in [
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none';", "Connection: close",
            "Content-Type: text/html; charset=utf-8",
        ] {
            #expect(answer.contains("\r\n\(header)"), "\(header)")
        }
        #expect(!answer.lowercased().contains("access-control-"))
        #expect(!answer.lowercased().contains("set-cookie"))
        await listener.stop()
    }

    @Test("No page repeats the handle, the id or the path of a request", arguments: [true, false])
    func secrets(isRight: Bool) async throws {
        let answer = try await RawConnection.exchange(
            isRight ? right : request("GET", "\(path)/?handle=\(Self.handle)&id=\(Self.id)"), port: port)
        for secret in [Self.handle, Self.id, path] {
            #expect(!answer.contains(secret))
        }
        await listener.stop()
    }
}
