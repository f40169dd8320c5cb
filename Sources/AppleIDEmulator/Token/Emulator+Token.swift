import Hummingbird

extension Emulator {
    /// For clients that prove themselves.
    static func addTokenRoutes(to open: Endpoints, _ authority: Authority) {
        open.add("/auth/token", post: TokenController(authority: authority).token)
    }
}
