import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addFaultRoutes(to control: Endpoints, _ authority: Authority) {
        let faults = FaultsController(authority: authority)
        control.add("/faults", get: faults.list, post: faults.add)
        control.add("/faults/clear", post: faults.clear)
    }
}
