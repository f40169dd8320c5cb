import AppleIDTypes

extension Mail {
    /// As lists show it.
    var summary: [(String, JSONText?)] {
        let header = MailHeader(of: content)
        return [
            ("id", .string(id)),
            ("person", .string(person)),
            ("team", .string(team?.rawValue)),
            ("envelopeFrom", .string(sender?.text ?? "")),
            ("envelopeTo", .string(recipient.text)),
            ("from", .string(header["From"].first.map(TransferCoding.words))),
            ("subject", .string(header["Subject"].first.map(TransferCoding.words))),
            ("receivedAt", .integer(receivedAt)),
            ("size", .integer(Int64(content.count))),
        ]
    }

    /// The same with what the mail says.
    var json: JSONText {
        let body = MailBody(of: content)
        let header = MailHeader(of: content).fields.map {
            JSONText.object([("name", .string($0.name)), ("value", .string($0.value))])
        }
        return .object(
            summary + [("text", .string(body.text)), ("html", .string(body.html)), ("header", .array(header))])
    }
}
