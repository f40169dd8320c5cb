import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The frame with the HTML of a mail")
struct MailFrameTests {
    private static let hostile = """
        <html><head><title>x</title><base href="https://tracker.example/"><base target="_self">
        <LINK rel="preconnect" href="https://tracker.example"><meta http-equiv="refresh" content="0;url=https://x.example">
        <style>@import url(https://tracker.example/x.css);</style><script>document.title = 'taken'</script></head>
        <body onload="alert(1)"></iframe></div><img src="https://tracker.example/pixel.png" onerror="alert(1)">
        <form action="http://127.0.0.1:4010/settings/delete" method="post"><button>Send</button></form>
        <a href="javascript:alert(1)">a</a> <a href="https://good.example/a?b=1&amp;c=2">b</a></body></html>
        """

    private func deliver(_ html: String) async throws -> (emulator: TestEmulator, id: String) {
        let (emulator, _) = try await TestEmulator.withRelay()
        var sender = TestSender(emulator)
        sender.say("EHLO x", "MAIL FROM:<a@b.example>", "RCPT TO:<johnny@example.com>", "DATA")
        let lines =
            ["From: a@b.example", "Content-Type: text/html; charset=utf-8", ""]
            + html.split(separator: "\n").map(String.init) + [".", ""]
        #expect(sender.send(lines.joined(separator: "\r\n")).last?.hasPrefix("250") == true)
        return (emulator, try #require(try await emulator.mails().first?["id"] as? String))
    }

    @Test("has strict rules of its own: sandboxed, without scripts and forms, and loading nothing")
    func rules() async throws {
        let (emulator, id) = try await deliver(Self.hostile)
        let answer = try await emulator.get("/mail/html?id=\(id)")
        #expect(answer.status == 200)
        let rules = try #require(answer.headers[.contentSecurityPolicy]).split(separator: "; ").map(String.init)
        #expect(
            rules == [
                "sandbox allow-popups allow-popups-to-escape-sandbox", "default-src 'none'",
                "style-src 'unsafe-inline'", "img-src data:", "form-action 'none'", "base-uri 'none'",
                "frame-ancestors 'self'",
            ])
        #expect(answer.headers[.referrerPolicy] == "no-referrer")
        #expect(answer.headers[.dnsPrefetchControl] == "off")
    }

    @Test("opens links in a new tab, and opens no connection by itself")
    func document() async throws {
        let (emulator, id) = try await deliver(Self.hostile)
        let text = try await emulator.get("/mail/html?id=\(id)").text
        #expect(text.hasPrefix("<!doctype html><meta charset=\"utf-8\"><base target=\"_blank\"><html>"))
        #expect(text.contains("<x-LINK rel=\"preconnect\""))
        #expect(!text.lowercased().contains("<link"))
        #expect(MailFrame.document("<lin").hasSuffix("<lin"))
        #expect(MailFrame.document("<IFrame><frameset></iframe>").hasSuffix("<x-IFrame><x-frameset></iframe>"))
        #expect(MailFrame.document("ä<Link><<LINK").hasSuffix("ä<x-Link><<x-LINK"))
    }

    @Test("is the only frame of its page, which shows the rest of the mail as text")
    func page() async throws {
        let (emulator, id) = try await deliver(Self.hostile)
        let page = try await emulator.get("/mail/read?id=\(id)")
        let rules = try #require(page.headers[.contentSecurityPolicy])
        #expect(rules.contains("frame-src 'self'; form-action 'none'") && rules.contains("frame-ancestors 'none'"))
        #expect(!rules.contains("unsafe-inline"))
        #expect(
            page.text.contains(
                #"<iframe class="frame" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mail/html?id="#))
        #expect(page.text.components(separatedBy: "<iframe").count == 2)
        #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script"))
        let link = "https://good.example/a?b=1&amp;c=2"
        #expect(
            page.text.contains("<li><a href=\"\(link)\" target=\"_blank\" rel=\"noopener noreferrer\">\(link)</a></li>")
        )
        #expect(!page.text.contains("href=\"javascript"))
    }

    @Test("is absent if a mail has no HTML, and if there is no mail")
    func absence() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.call(
            "/emulator/mail", ["from": "a@b.example", "to": ["johnny@example.com"], "subject": "x", "text": "y"])
        let id = try #require(try await emulator.mails().first?["id"] as? String)
        #expect(try await emulator.get("/mail/html?id=\(id)").status == 404)
        #expect(try await emulator.get("/mail/html?id=0").status == 404)
        #expect(!(try await emulator.get("/mail/read?id=\(id)").text.contains("<iframe")))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var html: String?
        var text: String?
        let links: [String]
    }

    @Test(
        "has its links beside it, and those of the text",
        arguments: [
            Case(
                testDescription: "quoted in each way",
                html: "<a href=\"http://a.example/1\">x</a><A class='b' HREF='http://a.example/2'\n>y</A>"
                    + "<a href=http://a.example/3>z</a><a download href = \"http://a.example/4&#x3D;&amp;\" >",
                links: ["http://a.example/1", "http://a.example/2", "http://a.example/3", "http://a.example/4=&"]),
            Case(
                testDescription: "in the text, once",
                html: "<a href='https://a.example/'>x</a>",
                text: "See https://a.example/ (or <https://b.example/x?y=1>, http://c.example/z.)\nhttps://",
                links: ["https://a.example/", "https://b.example/x?y=1", "http://c.example/z"]),
            Case(
                testDescription: "nothing but the web's",
                html: "<a href='javascript:alert(1)'>x</a><a href='data:text/html,x'>y</a><a href='/settings'>z</a>"
                    + "<a href='https://a@b.example'>u</a><abbr href='https://c.example'><a>v</a>",
                text: "ftp://a.example mailto:a@b.example", links: []),
            Case(
                testDescription: "cut short", html: "<a href='https://a.example/1'><a href='https://a.example/2",
                links: ["https://a.example/1", "https://a.example/2"]),
            Case(testDescription: "cut shorter", html: "<a href=", links: []),
            Case(
                testDescription: "very many", text: (0..<60).map { "https://a.example/\($0)" }.joined(separator: " "),
                links: (0..<50).map { "https://a.example/\($0)" }),
        ])
    func links(_ example: Case) {
        var parts: [String] = []
        if let text = example.text { parts += ["--x", "Content-Type: text/plain", "", text] }
        if let html = example.html { parts += ["--x", "Content-Type: text/html", "", html] }
        let content = ["Content-Type: multipart/alternative; boundary=x", ""] + parts + ["--x--", ""]
        let body = MailBody(of: Array(content.joined(separator: "\r\n").utf8))
        #expect(MailLinks.all(in: body) == example.links)
    }

    @Test("finds its links in linear time", .timeLimit(.minutes(1)), arguments: ["<a \"'=<a", "<", "<a", "<b", "<a/"])
    func many(part: String) {
        let html = String(repeating: part, count: 100_000)
        let body = MailBody(of: Array("Content-Type: text/html\r\n\r\n\(html)".utf8))
        #expect(MailLinks.all(in: body).isEmpty)
    }
}
