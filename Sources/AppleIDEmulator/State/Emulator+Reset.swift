import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addResetRoutes(to control: Endpoints, _ authority: Authority) {
        control.add("/reset", post: ResetController(authority: authority).reset)
    }
}
