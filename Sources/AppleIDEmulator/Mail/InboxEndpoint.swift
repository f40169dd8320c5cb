import AppleIDTypes
import HTTPTypes
import Hummingbird
import Mustache

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `/mail`: the pages on which a person reads their mail.
struct InboxEndpoint: Sendable {
    let core: EmulatorCore
    let pages: Pages

    @Sendable func people(_ request: Request, _ context: EmulatorContext) -> Response {
        let state = core.current
        let people = state.registry.portal.people
        return .page(
            pages.inbox.people(
                people, state.inboxes, hasOthers: state.relay.takesMailForOthers, port: core.relayPort.number))
    }

    @Sendable func inbox(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let person = try core.person(try request.queryFields()["person"])
        let state = core.current
        return .page(pages.inbox.inbox(of: person, state.inboxes.mails(of: person.id), state.registry.portal))
    }

    @Sendable func others(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let state = core.current
        guard state.relay.takesMailForOthers else {
            throw Refusal(.notFound, "This emulator takes no mail for addresses that nobody here has.")
        }
        return .page(pages.inbox.inbox(of: nil, state.inboxes.mails(of: nil), state.registry.portal))
    }

    @Sendable func read(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let mail = try core.mail(try request.queryFields()["id"] ?? "")
        let person = try mail.person.map { try core.person($0) }
        return .page(pages.inbox.mail(mail, of: person, core.portal))
    }

    /// The HTML of a mail, for the frame in the page that shows the mail.
    @Sendable func html(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let mail = try core.mail(try request.queryFields()["id"] ?? "")
        guard let html = MailBody(of: mail.content).html else {
            throw Refusal(.notFound, "This mail has no HTML.")
        }
        var response = Response.page(Page(MailFrame.document(html), .mail))
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.dnsPrefetchControl] = "off"
        return response
    }

    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let person = try core.person(try await request.formFields()["person"])
        core.change { $0.inboxes.removeAll(of: person.id) }
        return .seeOther(InboxPages.address(of: person))
    }

    @Sendable func deleteOthers(_ request: Request, _ context: EmulatorContext) -> Response {
        core.change { $0.inboxes.removeAll(of: nil) }
        return .seeOther(InboxPages.address(of: nil))
    }
}

/// People's mail as pages. There is no script. The HTML of a mail is shown in a sandboxed frame, see ``MailFrame``;
/// everywhere else, nothing of a mail is more than text.
struct InboxPages: Sendable {
    private let peoplePage: MustacheTemplate
    private let inboxPage: MustacheTemplate
    private let mailPage: MustacheTemplate

    /// Throws only when a template has a mistake.
    init() throws {
        peoplePage = try Pages.template("inbox-people")
        inboxPage = try Pages.template("inbox")
        mailPage = try Pages.template("mail")
    }

    /// - Parameters:
    ///   - hasOthers: whether the mail server takes mail to addresses that nobody here has.
    ///   - port: the port of the mail server, if there is one.
    func people(_ people: [Portal.Person], _ inboxes: Inboxes, hasOthers: Bool, port: Int?) -> Page {
        let entries = people.map { person in
            var values = Pages.values(person)
            values["address"] = Self.address(of: person)
            values["count"] = Self.words(for: inboxes.count(of: person.id))
            return values
        }
        let values: [String: Any] = [
            "title": "Mail", "people": entries, "hasPeople": !people.isEmpty, "hasOthers": hasOthers,
            "others": Self.address(of: nil), "othersCount": Self.words(for: inboxes.count(of: nil)),
            "server": port.map { "Mail comes in by SMTP on port \($0)." }
                ?? "There is no mail server: siwa emulate has one with --mail-port.",
        ]
        return Page(peoplePage.render(values), .forms)
    }

    /// - Parameter person: nil for the inbox of the addresses that nobody here has.
    func inbox(of person: Portal.Person?, _ mails: [Mail], _ portal: Portal) -> Page {
        var values = person.map(Pages.values) ?? [:]
        values["title"] = person == nil ? "Other addresses" : "Inbox"
        values["hasPerson"] = person != nil
        values["mails"] = mails.map { self.values($0, portal) }
        values["hasMails"] = !mails.isEmpty
        return Page(inboxPage.render(values), .forms)
    }

    func mail(_ mail: Mail, of person: Portal.Person?, _ portal: Portal) -> Page {
        let body = MailBody(of: mail.content)
        let fields = MailHeader(of: mail.content).fields.map { "\($0.name): \($0.value)" }
        var values = self.values(mail, portal)
        values["title"] = "Mail"
        values["hasText"] = body.text != nil
        values["text"] = body.text
        values["hasHTML"] = body.html != nil
        values["html"] = body.html
        values["frame"] = "/mail/html?id=\(mail.id.percentEncoded)"
        values["sandbox"] = MailFrame.sandbox
        let links = MailLinks.all(in: body)
        values["links"] = links
        values["hasLinks"] = !links.isEmpty
        values["header"] = fields.joined(separator: "\n")
        values["back"] = Self.address(of: person)
        return Page(mailPage.render(values), .frames)
    }

    /// The path of an inbox's page.
    /// - Parameter person: nil for the inbox of the addresses that nobody here has.
    static func address(of person: Portal.Person?) -> String {
        person.map { "/mail/inbox?person=\($0.id.percentEncoded)" } ?? "/mail/others"
    }

    private static func words(for count: Int) -> String {
        count == 0 ? "no mail" : count == 1 ? "1 mail" : "\(count) mails"
    }

    private func values(_ mail: Mail, _ portal: Portal) -> [String: Any] {
        let header = MailHeader(of: mail.content)
        let subject = header["Subject"].first.map(TransferCoding.words) ?? ""
        let time = Date(timeIntervalSince1970: TimeInterval(mail.receivedAt)).formatted(.iso8601)
        let team = mail.team.map { id in portal.teams.first { $0.id == id }?.name ?? id.rawValue }
        return [
            "address": "/mail/read?id=\(mail.id.percentEncoded)",
            "subject": subject.isEmpty ? "(no subject)" : subject,
            "from": header["From"].first.map(TransferCoding.words) ?? "(nobody)",
            "sender": mail.sender?.text ?? "<>",
            "recipient": mail.recipient.text,
            "way": team.map { "through the relay, from \($0)" }
                ?? (mail.person == nil ? "sent to \(mail.recipient.text)" : "sent to the person's own address"),
            "time": time,
            "shownTime": time.replacing("T", with: " ").replacing("Z", with: " UTC"),
        ]
    }
}
