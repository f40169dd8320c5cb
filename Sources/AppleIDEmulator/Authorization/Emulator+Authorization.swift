import Hummingbird

extension Emulator {
    /// The sheet, page by page. Under `/auth/authorize`.
    static func addAuthorizationRoutes(to sheet: Endpoints, _ authority: Authority, _ pages: Pages) {
        let authorization = AuthorizationController(authority: authority, pages: pages)
        sheet.add("/", get: authorization.authorize)
        sheet.add("/sheet", get: authorization.sheet)
        sheet.add("/decision", post: authorization.decide)
    }
}
