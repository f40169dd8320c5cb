import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Reading a mail")
struct MailReadingTests {
    /// Lines joined as they travel.
    private static func content(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\r\n").utf8) }

    @Test("fields are unfolded, found by name in any case, and end at the empty line")
    func header() {
        let content = Self.content("Subject: a", "\tb", "X: 1", "no field", "x:2", "", "Subject: body")
        let header = MailHeader(of: content)
        #expect(header["subject"] == ["a b"])
        #expect(header["X"] == ["1", "2"])
        #expect(String(decoding: content.dropFirst(header.end), as: UTF8.self) == "Subject: body")
        #expect(MailHeader(of: Self.content("A: b")).fields.isEmpty)
    }

    @Test(
        "the author is the one address of From",
        arguments: [
            ("a@b.example", "a@b.example"), ("Name <a@b.example>", "a@b.example"),
            ("\"Last, First \\\" <x@y.example>\" <a@b.example>", "a@b.example"),
            ("a@b.example (a comment, with (one) inside)", "a@b.example"),
            ("a@b.example, c@d.example", nil), ("<a@b.example> more", nil), ("Name", nil), ("", nil),
            ("\"a@b.example", nil),
        ])
    func author(value: String, address: String?) {
        #expect(MailHeader(of: Self.content("From: \(value)", "", "")).author?.text == address)
    }

    @Test(
        "encoded words are decoded, and other text is left alone",
        arguments: [
            ("=?utf-8?Q?Gr=C3=BC=C3=9Fe_an?= =?UTF-8?B?IGRpY2g=?= x", "Grüße an dich x"),
            ("=?iso-8859-1?q?caf=E9?=", "café"), ("a =?utf-8?X?b?= c", "a =?utf-8?X?b?= c"), ("1 =?= 2", "1 =?= 2"),
            ("plain  text", "plain  text"),
        ])
    func words(field: String, text: String) {
        #expect(TransferCoding.words(field) == text)
    }

    @Test(
        "quoted-printable decodes only two hexadecimal digits as a byte",
        arguments: [
            ("=41", "A"), ("=e9".uppercased(), "\u{fffd}"), ("=+A", "=+A"), ("=-0", "=-0"), ("= 1", "= 1"),
            ("=4", "=4"),
        ])
    func quotedPrintable(coded: String, text: String) {
        let bytes = TransferCoding.decode(Array(coded.utf8), "quoted-printable")
        #expect(TransferCoding.text(bytes, charset: "utf-8") == text)
    }

    @Test("Latin 1 and the code page of Windows differ in 32 places")
    func windows() {
        let bytes: [UInt8] = [0x80, 0x93, 0x9F, 0x81, 0xE9, 0x41]
        #expect(TransferCoding.text(bytes, charset: "Windows-1252") == "\u{20ac}\u{201c}\u{178}\u{81}éA")
        #expect(TransferCoding.text(bytes, charset: "ISO-8859-1") == "\u{80}\u{93}\u{9f}\u{81}éA")
        let all = TransferCoding.text(Array(0x80...0x9F), charset: "windows-1252").unicodeScalars.map(\.value)
        #expect(all.count == 32 && Set(all).count == 32)
        #expect(all.filter { $0 < 0x100 } == [0x81, 0x8D, 0x8F, 0x90, 0x9D])
    }

    @Test("text and HTML are found among the parts, decoded, and attachments are passed over")
    func parts() {
        let body = MailBody(
            of: Self.content(
                "Content-Type: multipart/mixed; boundary=\"outer=1\"", "", "preamble", "--outer=1",
                "Content-Type: text/plain", "Content-Disposition: attachment; filename=x.txt", "", "attached",
                "--outer=1", "Content-Type: multipart/alternative; boundary=inner", "", "--inner",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
                "Gr=C3=BC=C3=9Fe, soft=", " break =zz", "--inner", "Content-Type: text/html; charset=utf-8",
                "Content-Transfer-Encoding: base64", "", "PGI+aGk8", "L2I+", "--inner--", "--outer=1--", "epilogue"))
        #expect(body.text == "Grüße, soft break =zz")
        #expect(body.html == "<b>hi</b>")
    }

    @Test("a mail without a type is text, an HTML mail has no text, and an image has neither text nor HTML")
    func simple() {
        #expect(MailBody(of: Self.content("Subject: x", "", "one", "two")).text == "one\ntwo")
        let html = MailBody(of: Self.content("Content-Type: TEXT/HTML", "", "<p>"))
        #expect(html.text == nil)
        #expect(html.html == "<p>")
        let image = MailBody(of: Self.content("Content-Type: image/png", "", "x"))
        #expect(image.text == nil && image.html == nil)
    }

    @Test(
        "malformed mails are read without a crash",
        arguments: [
            "", "\r\n", ":", "Content-Type: multipart/mixed\r\n\r\n--\r\n",
            "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n--x--\r\n--x",
            "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x",
            "Content-Transfer-Encoding: base64\r\n\r\n====", "Content-Transfer-Encoding: quoted-printable\r\n\r\n=",
            "Content-Type: text/plain; charset=\"\u{0}\r\n\r\n\u{ff}",
        ])
    func awkward(text: String) {
        let body = MailBody(of: Array(text.utf8))
        #expect(body.html == nil)
    }

    @Test("a mail with very deep or very many parts is read to an end")
    func depth() {
        var deep = ""
        for level in 0..<1_000 { deep += "Content-Type: multipart/mixed; boundary=b\(level)\r\n\r\n--b\(level)\r\n" }
        #expect(MailBody(of: Array((deep + "\r\ntext").utf8)).text == nil)
        let wide = "Content-Type: multipart/mixed; boundary=x\r\n\r\n" + String(repeating: "--x\r\n", count: 100_000)
        #expect(MailBody(of: Array(wide.utf8)).html == nil)
    }
}
