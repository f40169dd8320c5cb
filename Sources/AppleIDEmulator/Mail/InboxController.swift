import HTTPTypes
import Hummingbird

/// `/mail`: the pages on which a person reads.
struct InboxController: Sendable {
    let authority: Authority
    let pages: Pages

    @Sendable func people(_ request: Request, _ context: EmulatorContext) -> Response {
        let state = authority.current
        let people = state.registry.portal.people
        return .page(pages.inbox.people(people, state.inboxes, port: authority.relayPort.number))
    }

    @Sendable func inbox(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let person = try authority.person(try request.queryFields()["person"])
        let state = authority.current
        return .page(pages.inbox.inbox(of: person, state.inboxes.mails(of: person.id), state.registry.portal))
    }

    @Sendable func read(_ request: Request, _ context: EmulatorContext) throws -> Response {
        let mail = try authority.mail(try request.queryFields()["id"] ?? "")
        return .page(pages.inbox.mail(mail, of: try authority.person(mail.person), authority.portal))
    }

    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let person = try authority.person(try await request.formFields()["person"])
        authority.change { $0.inboxes.removeAll(of: person.id) }
        return .seeOther(InboxPages.address(of: person))
    }
}
