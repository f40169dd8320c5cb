public import AccountService
import HTTPTypes
public import Hummingbird
public import ServiceLifecycle

@available(siwaServer 1.0, *)
extension AccountDomain {
    /// Adds the account service's routes to the router of your own Hummingbird server.
    ///
    /// The routes keep their paths, which Apple, the pages and the apps know. Their errors, headers, limits and rate limits
    /// are those of ``AccountServer``, except that your server limits the connections.
    ///
    /// ```swift
    /// let router = Router(context: OwnContext.self)
    /// let accounts = try domain.addAccountRoutes(to: router)
    /// router.get("notes") { … }
    /// let application = Application(router: router, services: [transport, accounts], logger: logger)
    /// ```
    ///
    /// Add your middleware after this call, or it also runs for the account service's routes. Requests to other methods of
    /// its paths get your server's 404.
    /// - Parameters:
    ///   - router: A router whose context knows the address of the client. Rate limits need it.
    ///   - paths: The paths that your own routes answer, such as `/` and `/healthz`.
    /// - Returns: The service that does the domain's work in the background. Run it before your HTTP server: in
    ///   `Application.services`, or before the application in a service group.
    /// - Throws: ``AccountError`` with the code ``AccountError/Code/configuration`` if the router has one of the routes
    ///   already, or if no route has a path of `paths`.
    public func addAccountRoutes<Context: RemoteAddressRequestContext>(
        to router: Router<Context>, configuration: AccountHTTPConfiguration = AccountHTTPConfiguration(),
        except paths: Set<String> = []
    ) throws -> any Service {
        let inner = try makeRouter(domain: self, configuration: configuration.naming(emulatorOf: self))
        let routes = try Self.mounted(inner.routes, except: paths)
        let taken = Set(router.routes.map { Self.shape($0.method, $0.path) })
        if let conflict = routes.first(where: { taken.contains(Self.shape($0.method, $0.path)) }) {
            throw AccountError(
                .configuration, "the router has a route for \(conflict.method.rawValue) \(conflict.path) already")
        }
        let responder = inner.buildResponder()
        for route in routes {
            router.on(route.path, method: route.method) { request, context in
                try await responder.respond(
                    to: request, context: ServiceContext(logger: context.logger, peer: context.remoteAddress))
            }
        }
        do {
            try router.validate()
        } catch {
            throw AccountError(.configuration, "two routes of the router can't be told apart", cause: error)
        }
        return self
    }

    /// The routes to add: all but those of the excepted paths, and a HEAD for each GET.
    private static func mounted(
        _ routes: [Router<ServiceContext>.RouteDescription], except paths: Set<String>
    ) throws -> [(method: HTTPRequest.Method, path: RouterPath)] {
        let excepted = Set(paths.map { RouterPath($0).description })
        let known = Set(routes.map(\.path.description))
        if let unknown = excepted.subtracting(known).min() {
            throw AccountError(.configuration, "the account service has no route with the path \(unknown)")
        }
        var mounted = routes.filter { !excepted.contains($0.path.description) }
            .map { (method: $0.method, path: $0.path) }
        let heads = Set(mounted.filter { $0.method == .head }.map(\.path.description))
        mounted += mounted.filter { $0.method == .get && !heads.contains($0.path.description) }
            .map { (method: .head, path: $0.path) }
        return mounted
    }

    /// A route as a router tells it from others: the names of parameters don't matter.
    private static func shape(_ method: HTTPRequest.Method, _ path: RouterPath) -> String {
        let segments = path.map { segment in "\(segment)".hasPrefix("{") ? "{}" : "\(segment)" }
        return "\(method.rawValue) /\(segments.joined(separator: "/"))"
    }
}
