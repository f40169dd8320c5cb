import Testing

@testable import AccountMail

@Suite("The URL of a mail server")
struct SMTPServerTests {
    @Test(
        "It names host, port, user and protection",
        arguments: [
            ("smtps://me@mail.example.com", "mail.example.com", 465, "me" as String?, SMTPServer.Security.tls),
            ("smtps://mail.example.com:2465/", "mail.example.com", 2_465, nil, .tls),
            ("smtp://mail.example.com", "mail.example.com", 587, nil, .startTLS),
            ("SMTP://me@Mail.example.com:25", "mail.example.com", 25, "me", .startTLS),
            ("smtps://me%40example.com@mail.example.com", "mail.example.com", 465, "me@example.com", .tls),
            ("smtps://me@example.com@mail.example.com", "mail.example.com", 465, "me@example.com", .tls),
            ("smtp://[2001:db8::1]:26", "2001:db8::1", 26, nil, .startTLS),
            ("smtp://localhost", "localhost", 25, nil, .plain),
            ("smtp://127.0.0.1:2525", "127.0.0.1", 2_525, nil, .plain),
            ("smtp://[::1]:2525", "::1", 2_525, nil, .plain),
        ])
    func good(url: String, host: String, port: Int, user: String?, security: SMTPServer.Security) throws {
        let server = try SMTPServer(url)
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.user == user)
        #expect(server.security == security)
    }

    @Test("With a user, a server on this machine needs TLS too")
    func userOnLoopback() throws {
        #expect(try SMTPServer("smtp://me@127.0.0.1").security == .startTLS)
    }

    @Test(
        "A host that only looks like this machine needs TLS",
        arguments: [
            "smtp://127.0.0.1.example.com", "smtp://localhost.example.com", "smtp://127.example.com",
            "smtp://1270.0.0.1",
        ])
    func notLoopback(url: String) throws {
        #expect(try SMTPServer(url).security == .startTLS)
    }

    @Test(
        "A URL that isn't a mail server's is refused",
        arguments: [
            "mail.example.com", "http://mail.example.com", "smtp://", "smtp://@", "smtp://me@",
            "smtp://mail.example.com:0",
            "smtp://mail.example.com:65536", "smtp://mail.example.com:", "smtp://mail.example.com:25:25",
            "smtp://mail.example.com/path", "smtp://mail.example.com?tls=no", "smtp://mail example.com",
            "smtp://mail.example.com\r\nQUIT", "smtp://@mail.example.com", "smtp://a%@mail.example.com",
            "smtp://a%0D%0A@mail.example.com", "smtp://a%zz@mail.example.com", "smtp://[]", "smtp://[::1", "smtp://[x]",
        ])
    func bad(url: String) {
        #expect(throws: AccountMailError(.invalidServer, "")) { try SMTPServer(url) }
    }

    @Test("A password in the URL is refused, and no error repeats it")
    func password() throws {
        let error = #expect(throws: AccountMailError.self) { try SMTPServer("smtps://me:geheim@mail.example.com") }
        let description = try #require(error).description
        #expect(description.contains("password"))
        #expect(!description.contains("geheim"))
    }
}
