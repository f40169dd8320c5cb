import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addClockRoutes(to control: Endpoints, _ authority: Authority) {
        let clock = ClockController(authority: authority)
        control.add("/clock", get: clock.show, post: clock.set)
    }
}
