import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addWebDomainRoutes(to control: Endpoints, _ authority: Authority) {
        control.add("/portal/services/verify", post: WebDomainsController(authority: authority).verify)
    }
}
