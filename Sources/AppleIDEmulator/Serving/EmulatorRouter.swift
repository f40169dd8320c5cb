import AppleIDTypes
import HTTPTypes
import Hummingbird

@available(siwaServer 1.0, *)
extension Emulator {
    /// The routes of each path, which the router writes with `:id` for `{id}`.
    private static let routesByPath: [(path: RouterPath, routes: [EmulatorRoute])] =
        Dictionary(grouping: EmulatorRoute.all, by: \.path).map { path, routes in
            (RouterPath(path.replacing(/\{(\w+)\}/) { ":\($0.1)" }), routes)
        }

    /// Serves the table of routes.
    ///
    /// - Parameter isExposed: whether the server listens where other machines reach it.
    static func router(_ core: EmulatorCore, _ pages: Pages, isExposed: Bool) -> Router<EmulatorContext> {
        let router = Router(context: EmulatorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLogMiddleware(core: core))
        router.add(middleware: RefusalMiddleware(core: core, pages: pages))
        router.add(middleware: FaultMiddleware(core: core))
        // The guards hang on groups, not on a comparison of paths, so no spelling of a path leads around them.
        let local = LocalAccess(isExposed: isExposed)
        let sheet = router.group().add(middleware: SheetGuard(core: core))
        let page = router.group().add(middleware: PageGuard(core: core, access: local))
        let control = router.group().add(middleware: ControlGuard(core: core, access: local))
        for (path, routes) in routesByPath {
            guard let access = routes.first?.access else { continue }
            let group: any RouterMethods<EmulatorContext> =
                switch access {
                case .anyone: router
                case .sheet: sheet
                case .page: page
                case .control: control
                }
            add(routes, at: path, to: group, core, pages)
        }
        return router
    }

    /// Registers the methods of a path, and a clear 405 for all others.
    private static func add(
        _ routes: [EmulatorRoute], at path: RouterPath, to group: any RouterMethods<EmulatorContext>,
        _ core: EmulatorCore, _ pages: Pages
    ) {
        var allowed: [HTTPRequest.Method] = []
        for method: HTTPRequest.Method in [.get, .post] {
            guard let route = routes.first(where: { $0.method == method }) else { continue }
            group.on(path, method: method, use: route.handler(core, pages))
            allowed += method == .get ? [.get, .head] : [method]
        }
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        for method: HTTPRequest.Method in [.get, .head, .post, .put, .patch, .delete, .options]
        where !allowed.contains(method) {
            group.on(path, method: method) { _, _ -> Response in
                var refusal = HTTPRefusal(
                    .invalidRequest, "This address takes \(names) only.", status: .methodNotAllowed)
                refusal.headers[.allow] = names
                throw refusal
            }
        }
    }
}
