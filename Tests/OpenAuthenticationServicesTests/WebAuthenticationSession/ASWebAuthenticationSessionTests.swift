import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

@Suite("ASWebAuthenticationSession", .timeLimit(.minutes(2)))
struct ASWebAuthenticationSessionTests {
    static let page = URL(string: "https://login.example/authorize?state=abc") ?? URL(filePath: "/")

    /// A port that nothing listens at.
    private func freePort() throws -> UInt16 {
        let socket = try LoopbackSocket.listening(on: .ipv4, port: 0)
        defer { socket.close() }
        return try socket.port()
    }

    private func get(_ target: String, port: UInt16, headers: String = "") async throws -> String {
        try await RawConnection.exchange(
            "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(headers)\r\n", port: port)
    }

    /// A run whose browser does what it is told, and what its handler is given.
    private func started(
        at scheme: String, timeout: Duration = .seconds(600), browser: BrowserPresenter
    ) throws -> (run: WebSessionRun, ending: OneShot<URL>) {
        let ending = OneShot<URL>()
        let run = WebSessionRun { url, error in
            MainActor.assertIsolated()
            if let url { ending.deliver(.success(url)) }
            if let error { ending.deliver(.failure(error)) }
        }
        #expect(run.start())
        let target = try #require(LoopbackCallback(scheme))
        #expect(run.listen(for: target, opening: Self.page, in: browser, timeout: timeout))
        return (run, ending)
    }

    @Test("The browser opens the page, and the app gets the whole callback URL")
    func wholeWay() async throws {
        let port = try freePort()
        let opened = Lock<URL?>(nil)
        let (_, ending) = try started(
            at: "http://127.0.0.1:\(port)/callback",
            browser: BrowserPresenter { url in
                opened.withLock { $0 = url }
                _ = try await get("/favicon.ico", port: port)
                _ = try await get("/callback?code=x%20y&state=abc", port: port)
            })
        #expect(
            try await ending.value().absoluteString == "http://127.0.0.1:\(port)/callback?code=x%20y&state=abc")
        #expect(opened.withLock { $0 } == Self.page)
    }

    @Test("One port serves one session after the other")
    func samePort() async throws {
        let port = try freePort()
        for attempt in 0..<3 {
            let (run, ending) = try started(
                at: "http://127.0.0.1:\(port)/callback",
                browser: BrowserPresenter { _ in _ = try await get("/callback?attempt=\(attempt)", port: port) })
            #expect(
                try await ending.value().absoluteString == "http://127.0.0.1:\(port)/callback?attempt=\(attempt)")
            await run.work?.value
        }
    }

    @Test("If the callback has no path, any navigation with parameters is the callback")
    func anyPath() async throws {
        let port = try freePort()
        let (_, ending) = try started(
            at: "http://127.0.0.1:\(port)",
            browser: BrowserPresenter { _ in
                #expect(try await get("/favicon.ico", port: port).hasPrefix("HTTP/1.1 404"))
                #expect(
                    try await get("/cb?code=evil", port: port, headers: "Sec-Fetch-Mode: no-cors\r\n").hasPrefix(
                        "HTTP/1.1 404"))
                _ = try await get("/cb?code=x", port: port, headers: "Sec-Fetch-Mode: navigate\r\n")
            })
        #expect(try await ending.value().absoluteString == "http://127.0.0.1:\(port)/cb?code=x")
    }

    @Test("Cancelled: canceledLogin, and the listener is closed")
    func cancelled() async throws {
        let port = try freePort()
        let opened = OneShot<Void>()
        let (run, ending) = try started(
            at: "http://127.0.0.1:\(port)", browser: BrowserPresenter { _ in opened.deliver(.success(())) })
        try await opened.value()
        let cancelled = ASWebAuthenticationSessionError(.canceledLogin, explanation: "")
        run.end(.failure(cancelled))
        let error = await #expect(throws: ASWebAuthenticationSessionError.self) { try await ending.value() }
        #expect(error?.code == .canceledLogin)
        await run.work?.value
        #expect(throws: RawConnection.Refused.self) { try RawConnection(port: port) }
    }

    @Test("No browser: presentationContextInvalid, with the underlying error")
    func noBrowser() async throws {
        let (_, ending) = try started(at: "http://127.0.0.1:\(try freePort())", browser: .none)
        let error = await #expect(throws: ASWebAuthenticationSessionError.self) { try await ending.value() }
        #expect(error?.code == .presentationContextInvalid)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? BrowserError == .absent)
    }

    @Test("No callback in time: canceledLogin")
    func timedOut() async throws {
        let (_, ending) = try started(
            at: "http://127.0.0.1:\(try freePort())", timeout: .milliseconds(20), browser: BrowserPresenter { _ in })
        let error = await #expect(throws: ASWebAuthenticationSessionError.self) { try await ending.value() }
        #expect(error?.code == .canceledLogin)
    }

    @Test("Port of another program: start returns false, and the handler gets the error")
    func takenPort() async throws {
        let taken = try LoopbackServer(port: 0) { _ in nil }
        let ending = OneShot<any Error>()
        let session = ASWebAuthenticationSession(
            url: Self.page, callbackURLScheme: "http://127.0.0.1:\(taken.port)"
        ) { _, error in
            if let error { ending.deliver(.success(error)) }
        }
        #expect(session.canStart)
        #expect(!session.start())
        #expect((try await ending.value() as? ASWebAuthenticationSessionError)?.code == .presentationContextInvalid)
        await taken.stop()
    }

    @Test(
        "A callback that can't arrive is refused at the start, and the handler gets one error",
        arguments: [
            ("https://login.example", "myapp"), ("https://login.example", "http"), ("https://login.example", ""),
            ("https://login.example", "http://localhost:8080"), ("https://login.example", "http://192.0.2.1:80"),
            ("https://login.example", "http://127.0.0.1"), ("https://login.example", "https://127.0.0.1:8080"),
            ("file:///etc/passwd", "http://127.0.0.1:1"), ("myapp://x", "http://127.0.0.1:1"),
        ])
    func notStarted(page: String, scheme: String) async throws {
        let ending = OneShot<any Error>()
        let session = ASWebAuthenticationSession(
            url: try #require(URL(string: page)), callbackURLScheme: scheme
        ) { url, error in
            if url == nil, let error { #expect(ending.deliver(.success(error))) }
        }
        #expect(!session.canStart)
        #expect(!session.start())
        #expect(!session.start())
        let error = try await ending.value() as? ASWebAuthenticationSessionError
        #expect(error?.code == .presentationContextInvalid)
        #expect(error?.userInfo[NSLocalizedFailureReasonErrorKey] is String)
    }

    @Test("A website's page as callback is refused at the start")
    func https() {
        let session = ASWebAuthenticationSession(
            url: Self.page, callback: .https(host: "example.com", path: "/cb")
        ) { _, _ in }
        #expect(!session.canStart)
        #expect(!session.start())
    }

    @Test("A session that was cancelled before its start can't be started")
    func cancelledEarly() async throws {
        let ending = OneShot<any Error>()
        let session = ASWebAuthenticationSession(
            url: Self.page, callbackURLScheme: "http://127.0.0.1:\(try freePort())"
        ) { _, error in
            if let error { ending.deliver(.success(error)) }
        }
        session.cancel()
        #expect(!session.start())
        #expect((try await ending.value() as? ASWebAuthenticationSessionError)?.code == .canceledLogin)
    }

    @Test(
        "A callback recognizes its URLs",
        arguments: [
            ("myapp", "myapp://x/y", true), ("MyApp", "myapp:x", true), ("myapp", "myapp2://x", false),
            ("http://127.0.0.1:81", "http://127.0.0.1:81/any?x", true), ("http://[::1]:81", "http://[::1]:81/", true),
            ("http://127.0.0.1:81", "http://127.0.0.1:82/", false), ("http://127.0.0.1:81", "http://[::1]:81/", false),
            ("http://127.0.0.1:81/a", "http://127.0.0.1:81/a?x", true),
            ("http://127.0.0.1:81/a", "http://127.0.0.1:81/b", false),
        ])
    func matching(scheme: String, url: String, matches: Bool) throws {
        let callback = ASWebAuthenticationSession.Callback.customScheme(scheme)
        #expect(callback.matchesURL(try #require(URL(string: url))) == matches)
    }

    @Test(
        "A website's callback matches host and path",
        arguments: [
            ("https://example.com/cb?x", true), ("https://EXAMPLE.com/cb", true), ("http://example.com/cb", false),
            ("https://example.com/cb/", false), ("https://evil.example/cb", false),
        ])
    func matchingHTTPS(url: String, matches: Bool) throws {
        let callback = ASWebAuthenticationSession.Callback.https(host: "example.com", path: "/cb")
        #expect(callback.matchesURL(try #require(URL(string: url))) == matches)
    }

    @Test("Domain and codes are Apple's")
    func errors() {
        #expect(
            ASWebAuthenticationSessionErrorDomain == "com.apple.AuthenticationServices.WebAuthenticationSession")
        #expect(ASWebAuthenticationSessionError.errorDomain == ASWebAuthenticationSessionErrorDomain)
        let errors: Set = [
            ASWebAuthenticationSessionError(.canceledLogin), ASWebAuthenticationSessionError(.canceledLogin),
        ]
        #expect(errors.count == 1)
        #expect(ASWebAuthenticationSessionError.Code.canceledLogin.rawValue == 1)
        #expect(ASWebAuthenticationSessionError.Code.presentationContextNotProvided.rawValue == 2)
        #expect(ASWebAuthenticationSessionError.Code.presentationContextInvalid.rawValue == 3)
        #expect((ASWebAuthenticationSessionError(.canceledLogin) as NSError).code == 1)
    }

    @Test("An app's tests can replace a session with a subclass")
    func spy() {
        final class Spy: ASWebAuthenticationSession {
            var starts = 0
            override func start() -> Bool {
                starts += 1
                return true
            }
        }
        let spy = Spy(url: Self.page, callbackURLScheme: "myapp") { _, _ in }
        #expect(spy.start())
        #expect(spy.starts == 1)
    }
}
