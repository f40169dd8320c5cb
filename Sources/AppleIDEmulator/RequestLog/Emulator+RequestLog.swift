import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addRequestRoutes(to control: Endpoints, _ authority: Authority, _ pages: Pages) {
        let requests = RequestsController(authority: authority, pages: pages)
        control.add("/requests", get: requests.list)
        control.add("/requests/clear", post: requests.clear)
        control.add("/requests/page", get: requests.page)
    }
}
