import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// `/emulator/mail`: what people have got.
struct MailController: Sendable {
    let authority: Authority

    /// `GET /emulator/mail`, newest first; with `?person=`, that person's. The port is the mail server's, if there is
    /// one.
    @Sendable func list(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let inboxes = authority.current.inboxes
        let mails: [Mail]
        if let person = try request.queryFields()["person"] {
            mails = inboxes.mails(of: try authority.person(person).id)
        } else {
            mails = inboxes.mails.reversed()
        }
        return .uncachedJSON(
            .object([
                ("port", authority.relayPort.number.map { .integer(Int64($0)) }),
                ("mails", .array(mails.map { .object($0.summary) })),
            ]))
    }

    /// `GET /emulator/mail/{id}`
    @Sendable func show(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        .uncachedJSON(try authority.mail(context.parameters.require("id")).json)
    }

    /// `GET /emulator/mail/{id}/source`: byte for byte, to be saved, not shown.
    @Sendable func source(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let mail = try authority.mail(context.parameters.require("id"))
        return Response(
            status: .ok,
            headers: [
                .contentType: "message/rfc822", .contentDisposition: "attachment; filename=\"mail.eml\"",
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: mail.content)))
    }

    /// `POST /emulator/mail`: like SMTP, with its answer as text. That a mail is refused is no failure of the call.
    @Sendable func send(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let reply = authority.deliver(try MailOrder(await request.boundedBody()).mail)
        return .uncachedJSON(
            .object([("accepted", .bool(reply.isPositive)), ("reply", .string(reply.description))]))
    }

    /// `POST /emulator/mail/delete` with `id`, or with `person` for all of theirs.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let (id, person) = (try body.string("id"), try body.string("person"))
        try body.checkNothingIsLeft()
        switch (id, person) {
        case (let id?, nil):
            let mail = try authority.mail(id)
            authority.change { $0.inboxes.remove(id: mail.id) }
        case (nil, let person?):
            let person = try authority.person(person)
            authority.change { $0.inboxes.removeAll(of: person.id) }
        default: throw Members.refused("", "has one of id and person")
        }
        return Response(status: .noContent)
    }
}

extension Authority {
    func mail(_ id: String) throws(Refusal) -> Mail {
        guard let mail = current.inboxes[id] else {
            throw Refusal(.unknownMail, "No mail has this id, or it had to give way to newer ones.")
        }
        return mail
    }
}
