import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// `/emulator/mail`: the mail of the emulator's people.
struct MailEndpoint: Sendable {
    let core: EmulatorCore

    /// `GET /emulator/mail`, newest first; with `?person=`, that person's. The port is the mail server's, if there is
    /// one.
    @Sendable func list(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let inboxes = core.current.inboxes
        let mails: [Mail]
        if let person = try request.queryFields()["person"] {
            mails = inboxes.mails(of: try core.person(person).id)
        } else {
            mails = inboxes.mails.reversed()
        }
        return .uncachedJSON(
            .object([
                ("port", core.relayPort.number.map { .integer(Int64($0)) }),
                ("mails", .array(mails.map { .object($0.summary) })),
            ]))
    }

    /// `GET /emulator/mail/{id}`
    @Sendable func show(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        .uncachedJSON(try core.mail(context.parameters.require("id")).json)
    }

    /// `GET /emulator/mail/{id}/source`: byte for byte, to be saved, not shown.
    @Sendable func source(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let mail = try core.mail(context.parameters.require("id"))
        return Response(
            status: .ok,
            headers: [
                .contentType: "message/rfc822", .contentDisposition: "attachment; filename=\"mail.eml\"",
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: mail.content)))
    }

    /// `POST /emulator/mail`: like SMTP, with its answer as text. If the mail is refused, the call doesn't fail.
    @Sendable func send(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let reply = core.deliver(try SendMailRequest(await request.boundedBody()).mail)
        return .uncachedJSON(
            .object([("accepted", .bool(reply.isPositive)), ("reply", .string(reply.description))]))
    }

    /// `POST /emulator/mail/delete` with `id`, or with `person` for all of theirs.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let (id, person) = (try body.string("id"), try body.string("person"))
        try body.checkAllWereRead()
        switch (id, person) {
        case (let id?, nil):
            let mail = try core.mail(id)
            core.change { $0.inboxes.remove(id: mail.id) }
        case (nil, let person?):
            let person = try core.person(person)
            core.change { $0.inboxes.removeAll(of: person.id) }
        default: throw Members.refused("", "has one of id and person")
        }
        return Response(status: .noContent)
    }
}

extension EmulatorCore {
    func mail(_ id: String) throws(Refusal) -> Mail {
        guard let mail = current.inboxes[id] else {
            throw Refusal(.unknownMail, "No mail has this id, or it had to give way to newer ones.")
        }
        return mail
    }
}

/// The body of `POST /emulator/mail`: a mail without the way over SMTP, for stacks that send by other means.
struct SendMailRequest: Sendable {
    let mail: IncomingMail

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        let author = try Self.address(try members.required("from"), "from")
        let sender = try members.string("envelopeFrom")
        guard let names = try members.strings("to"), (1...RelayLimits().recipients).contains(names.count) else {
            throw Members.refused("to", "must hold 1 to \(RelayLimits().recipients) addresses")
        }
        var recipients: [MailAddress] = []
        for name in names { recipients.append(try Self.address(name, "to")) }
        let subject = try members.string("subject") ?? ""
        guard !subject.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw Members.refused("subject", "must be one line")
        }
        let text = try members.string("text") ?? ""
        var header = ["From: \(author.text)", "To: \(names.joined(separator: ", "))", "Subject: \(subject)"]
        if let domain = try members.string("dkimDomain") {
            guard MailAddress.isDomain(domain) else { throw Members.refused("dkimDomain", "must be a domain") }
            header.append("DKIM-Signature: v=1; d=\(domain)")
        }
        try members.checkAllWereRead()
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

extension Mail {
    /// The mail as lists show it.
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

    /// The summary of the mail with its text, its HTML, its links and its header.
    var json: JSONText {
        let body = MailBody(of: content)
        let header = MailHeader(of: content).fields.map {
            JSONText.object([("name", .string($0.name)), ("value", .string($0.value))])
        }
        return .object(
            summary + [
                ("text", .string(body.text)), ("html", .string(body.html)),
                ("links", .array(MailLinks.all(in: body).map { .string($0) })), ("header", .array(header)),
            ])
    }
}
