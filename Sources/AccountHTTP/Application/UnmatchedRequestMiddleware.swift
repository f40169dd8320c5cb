import AccountAPI
import HTTPTypes
import Hummingbird

/// Answers a request that no route takes: 405 when its path knows other methods, else 404.
@available(siwaServer 1.0, *)
struct UnmatchedRequestMiddleware: RouterMiddleware {
    private let routes: [(segments: [Substring], method: HTTPRequest.Method)]

    /// The paths of calls that need passwords. Empty if the service takes passwords.
    private let passwordPaths: [[Substring]]

    /// - Parameter hasPasswords: Whether the service takes passwords.
    init(routes: [Router<ServiceContext>.RouteDescription], hasPasswords: Bool) {
        passwordPaths =
            hasPasswords
            ? []
            : Route.table.flatMap(\.routes).filter { $0.isForPrograms && $0.condition.isPasswords }
                .map { Self.segments(of: $0.path) }
        self.routes = routes.map { (Self.segments(of: $0.path.description), $0.method) }
    }

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        let segments = Self.segments(of: request.uri.path)
        var methods = Set(routes.filter { Self.matches($0.segments, segments) }.map(\.method))
        guard !methods.isEmpty else {
            guard !passwordPaths.contains(where: { Self.matches($0, segments) }) else {
                throw HTTPFailure(.passwordsOff, "This service takes no passwords.")
            }
            throw HTTPFailure(.notFound, "There is nothing at this path.")
        }
        if methods.contains(.get) {
            methods.insert(.head)
        }
        let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
        throw HTTPFailure(.methodNotAllowed, "This path takes \(allowed).", headers: [.allow: allowed])
    }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/")
    }

    /// - Parameter route: A segment in braces stands for any.
    private static func matches(_ route: [Substring], _ path: [Substring]) -> Bool {
        route.count == path.count && zip(route, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
