/// The body of `POST /emulator/mail`: a mail without the way over SMTP, for stacks that send by other means.
struct MailOrder: Sendable {
    let mail: IncomingMail

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        let author = try Self.address(try order.required("from"), "from")
        let sender = try order.string("envelopeFrom")
        guard let names = try order.strings("to"), (1...RelayLimits().recipients).contains(names.count) else {
            throw Members.refused("to", "must hold 1 to \(RelayLimits().recipients) addresses")
        }
        var recipients: [MailAddress] = []
        for name in names { recipients.append(try Self.address(name, "to")) }
        let subject = try order.string("subject") ?? ""
        guard !subject.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw Members.refused("subject", "must be one line")
        }
        let text = try order.string("text") ?? ""
        var header = ["From: \(author.text)", "To: \(names.joined(separator: ", "))", "Subject: \(subject)"]
        if let domain = try order.string("dkimDomain") {
            guard MailAddress.isDomain(domain) else { throw Members.refused("dkimDomain", "must be a domain") }
            header.append("DKIM-Signature: v=1; d=\(domain)")
        }
        try order.checkNothingIsLeft()
        header += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
        let lines =
            header + [""] + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        mail = IncomingMail(
            sender: try sender.map { (text) throws(Refusal) in try Self.address(text, "envelopeFrom") } ?? author,
            recipients: recipients, content: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    private static func address(_ text: String, _ name: String) throws(Refusal) -> MailAddress {
        guard let address = MailAddress(text) else { throw Members.refused(name, "must be an e-mail address") }
        return address
    }
}
