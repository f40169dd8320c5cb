import Hummingbird

extension Emulator {
    /// For clients that prove themselves.
    static func addRevocationRoutes(to open: Endpoints, _ authority: Authority) {
        open.add("/auth/revoke", post: RevocationController(authority: authority).revoke)
    }
}
