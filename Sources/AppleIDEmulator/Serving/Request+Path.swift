import Hummingbird

extension Request {
    /// The path as the router reads it: `//auth/token/` is `/auth/token`. Whoever compares paths compares this one, or
    /// a spelling leads around the comparison.
    var routedPath: String {
        "/" + uri.path.split(separator: "/").joined(separator: "/")
    }

    /// Whether the path is this one or below it. `/emulator-root.pem` is not under `/emulator`.
    func isUnder(_ path: String) -> Bool {
        routedPath == path || routedPath.hasPrefix(path + "/")
    }
}
