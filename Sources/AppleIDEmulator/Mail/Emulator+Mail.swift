import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addMailRoutes(to control: Endpoints, _ authority: Authority) {
        let mail = MailController(authority: authority)
        control.add("/mail", get: mail.list, post: mail.send)
        control.add("/mail/delete", post: mail.delete)
        control.add("/mail/:id", get: mail.show)
        control.add("/mail/:id/source", get: mail.source)
    }

    /// The pages, within the same borders as those of the settings: a mail is as good as the account it is for.
    static func addInboxRoutes(
        to router: Router<EmulatorContext>, _ authority: Authority, _ pages: Pages, access: LocalAccess
    ) {
        let group = router.group("/mail").add(middleware: PageGuard(authority: authority, access: access))
        let routes = Endpoints(routes: group)
        let inbox = InboxController(authority: authority, pages: pages)
        routes.add("/", get: inbox.people)
        routes.add("/inbox", get: inbox.inbox)
        routes.add("/read", get: inbox.read)
        routes.add("/delete", post: inbox.delete)
    }
}
