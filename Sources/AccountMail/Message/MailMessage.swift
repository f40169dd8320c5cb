import struct Foundation.Calendar
import struct Foundation.Date
import struct Foundation.TimeZone

/// A mail as it is sent: header fields, a text, and the same in HTML (RFC 2046 §5.1.4).
struct MailMessage: Sendable {
    /// The part of the `Message-ID` before the `@`.
    let id: String
    let date: Date
    let from: MailboxAddress
    let fromName: String
    let recipient: MailboxAddress
    let rendered: RenderedMail

    /// - Parameter id: an identifier of ours. Characters that ours don't have become hyphens.
    init(
        id: String, date: Date, from: MailboxAddress, fromName: String, recipient: MailboxAddress,
        rendered: RenderedMail
    ) {
        self.id = String(
            id.unicodeScalars.map { scalar in
                switch scalar {
                case "0"..."9", "A"..."Z", "a"..."z", "_": Character(scalar)
                default: "-"
                }
            })
        self.date = date
        self.from = from
        self.fromName = fromName
        self.recipient = recipient
        self.rendered = rendered
    }

    /// The bytes of the mail: lines that each end with CR LF.
    /// - Parameter allowsEightBit: whether the server takes bytes beyond ASCII in the text.
    func content(allowsEightBit: Bool) -> [UInt8] {
        let parts = [("text/plain", rendered.text), ("text/html", rendered.html)].map { type, text in
            let lines = TransferEncoding.lines(of: text)
            let encoding = TransferEncoding(for: lines, allowsEightBit: allowsEightBit)
            return HeaderField.tokens("Content-Type", "\(type);", "charset=utf-8")
                + HeaderField.tokens("Content-Transfer-Encoding", encoding.rawValue) + "\r\n" + encoding.encode(lines)
        }
        let boundary = boundary(for: parts)
        // The line break before a boundary belongs to the boundary.
        let body = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
        return Array((fields(boundary: boundary) + "\r\n" + body).utf8)
    }

    private func fields(boundary: String) -> String {
        HeaderField.tokens("Date", Self.text(date))
            + HeaderField.mailbox("From", displayName: fromName, from)
            + HeaderField.mailbox("To", displayName: nil, recipient)
            + HeaderField.tokens("Message-ID", "<\(id)@\(from.domain)>")
            + HeaderField.text("Subject", rendered.subject)
            + HeaderField.tokens("Content-Language", rendered.language)
            // RFC 3834 §5: so nobody's holiday note answers.
            + HeaderField.tokens("Auto-Submitted", "auto-generated")
            + HeaderField.tokens("MIME-Version", "1.0")
            + HeaderField.tokens("Content-Type", "multipart/alternative;", "boundary=\"\(boundary)\"")
    }

    /// A line that no part has.
    private func boundary(for parts: [String]) -> String {
        var number = 0
        while true {
            // Neither quoted-printable nor base64 has `=_`.
            let boundary = "=_siwa_\(number)_\(id.suffix(40))"
            if !parts.contains(where: { $0.contains(boundary) }) { return boundary }
            number += 1
        }
    }

    /// RFC 5322 §3.3, in UTC.
    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(weekdays[(parts.weekday ?? 1) - 1]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) "
            + "\(parts.year ?? 0) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }
}
