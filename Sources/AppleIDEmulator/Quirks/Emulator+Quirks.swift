import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addQuirkRoutes(to control: Endpoints, _ authority: Authority) {
        let quirks = QuirksController(authority: authority)
        control.add("/quirks", get: quirks.quirks, post: quirks.change)
    }
}
