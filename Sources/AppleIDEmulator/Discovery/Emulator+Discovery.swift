import Hummingbird

extension Emulator {
    /// At the two addresses that discovery has had.
    static func addDiscoveryRoutes(to open: Endpoints, _ authority: Authority) {
        let discovery = DiscoveryController(authority: authority)
        open.add("/.well-known/openid-configuration", get: discovery.configuration)
        open.add("/account.apple.com/.well-known/openid-configuration", get: discovery.otherConfiguration)
    }
}
