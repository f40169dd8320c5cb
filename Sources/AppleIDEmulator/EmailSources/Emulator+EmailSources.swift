import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addEmailSourceRoutes(to control: Endpoints, _ authority: Authority) {
        let sources = EmailSourcesController(authority: authority)
        control.add("/email-sources", get: sources.list, post: sources.register)
        control.add("/email-sources/remove", post: sources.remove)
        control.add("/email-sources/verify", post: sources.verify)
    }
}
