import Hummingbird

extension Emulator {
    /// The sheet, page by page.
    static func addAuthorizationRoutes(to open: Endpoints, _ authority: Authority, _ pages: Pages) {
        let authorization = AuthorizationController(authority: authority, pages: pages)
        open.add("/auth/authorize", get: authorization.authorize)
        open.add("/auth/authorize/sheet", get: authorization.sheet)
        open.add("/auth/authorize/decision", post: authorization.decide)
    }
}
