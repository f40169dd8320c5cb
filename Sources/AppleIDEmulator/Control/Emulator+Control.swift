import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addAuthorizationOrderRoutes(to control: Endpoints, _ authority: Authority) {
        control.add("/authorizations", post: AuthorizationsController(authority: authority).authorize)
    }
}
