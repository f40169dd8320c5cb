import Foundation
import Testing

@testable import AccountMail

@Suite("Mails as bytes")
struct MailMessageTests {
    private static func content(_ rendered: RenderedMail, eightBit: Bool = false) throws -> String {
        String(decoding: try TestMail.message(rendered).content(allowsEightBit: eightBit), as: UTF8.self)
    }

    @Test("A mail has a text, the same in HTML, and the fields that it needs")
    func whole() throws {
        #expect(
            try Self.content(TestMail.rendered)
                == """
                Date: Wed, 25 Nov 2026 02:09:42 +0000
                From: "Juice" <accounts@juice.example.com>
                To: johnny@example.com
                Message-ID: <mail_01@juice.example.com>
                Subject: Hello
                Content-Language: en
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary="=_siwa_0_mail_01"

                --=_siwa_0_mail_01
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 7bit

                Hello
                .
                ..two

                --=_siwa_0_mail_01
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: 7bit

                <p>Hello</p>

                --=_siwa_0_mail_01--

                """.replacing("\n", with: "\r\n"))
    }

    @Test("Text beyond ASCII goes as it is to a server that takes it, and encoded to others")
    func encodings() throws {
        let few = RenderedMail(
            language: "de", subject: "x", text: "Grüße aus Köln, und noch ein Satz\n", html: "<p>x</p>")
        #expect(try Self.content(few, eightBit: true).contains("\r\n\r\nGrüße aus Köln, und noch ein Satz\r\n"))
        let encoded = try Self.content(few)
        #expect(encoded.contains("Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe aus K=C3=B6ln"))
        let many = RenderedMail(language: "zh", subject: "x", text: "你好，世界\n", html: "<p>x</p>")
        #expect(
            try Self.content(many).contains(
                "Content-Transfer-Encoding: base64\r\n\r\n5L2g5aW977yM5LiW55WMDQo=\r\n"))
        for text in [encoded, try Self.content(many)] { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
    }

    @Test("No line is longer than servers take, whatever the text", arguments: [false, true])
    func longLines(eightBit: Bool) throws {
        let long = String(repeating: "x y=", count: 1_000) + " \n" + String(repeating: "ä", count: 600) + "\n"
        let content = try Self.content(
            RenderedMail(language: "en", subject: "x", text: long, html: long), eightBit: eightBit)
        #expect(content.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(!content.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" || $0 == "\r\n" })
    }

    @Test("Quoted-printable keeps each byte, and no line ends with a space or has more than 76 columns")
    func quotedPrintable() {
        let text =
            "a=b \r\n\tä \t\r\n\r\n" + String(repeating: "ö", count: 200) + "\r\n" + String(repeating: "z", count: 76)
            + "\r\n"
        let encoded = QuotedPrintable.encode(text)
        #expect(
            encoded.split(separator: "\r\n").allSatisfy {
                $0.utf8.count <= 76 && $0.last != " " && $0.last != "\t"
            })
        var bytes: [UInt8] = []
        var rest = Array(encoded.replacing("=\r\n", with: "").utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "=") {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(encoded.contains("\r\n" + String(repeating: "z", count: 76) + "\r\n"))
    }

    @Test("Base64 is Foundation's", arguments: 0..<5)
    func base64(count: Int) {
        let bytes = (0..<count + 120).map { UInt8($0) }
        #expect(Base64Lines.text(bytes) == Data(bytes).base64EncodedString())
        #expect(Base64Lines.text(bytes.prefix(count)) == Data(bytes.prefix(count)).base64EncodedString())
        #expect(
            Base64Lines.encode(bytes)
                == Data(bytes).base64EncodedString(options: [
                    .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
                ]) + "\r\n")
    }

    @Test("Lines of any kind end with CR LF, and control characters are gone")
    func lines() {
        #expect(
            TransferEncoding.lines(of: "a\nb\r\nc\rd\u{2028}e\u{0}\u{1B}[31m\tf\n\r\n\n")
                == "a\r\nb\r\nc\r\nd\r\ne[31m\tf\r\n")
        #expect(TransferEncoding.lines(of: "") == "")
        #expect(TransferEncoding.lines(of: "a\n\n\nb") == "a\r\n\r\n\r\nb\r\n")
    }

    @Test("A text that contains the boundary gets another boundary")
    func boundary() throws {
        let text = "--=_siwa_0_mail_01--\n--=_siwa_1_mail_01\n"
        let content = try Self.content(RenderedMail(language: "en", subject: "x", text: text, html: "x"))
        #expect(content.contains("boundary=\"=_siwa_2_mail_01\""))
    }

    @Test(
        "The date is as RFC 5322 writes it",
        arguments: [
            (0.0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
            (1_795_572_582, "Wed, 25 Nov 2026 02:09:42 +0000"),
        ])
    func date(seconds: Double, text: String) {
        #expect(MailMessage.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}
