import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Registers a path with the methods it has, and with a clear 405 for the others.
struct Endpoints {
    typealias Handler = @Sendable @concurrent (Request, EmulatorContext) async throws -> Response

    let routes: any RouterMethods<EmulatorContext>

    func add(_ path: RouterPath, get: Handler? = nil, post: Handler? = nil) {
        var allowed: [HTTPRequest.Method] = []
        if let get {
            allowed += [.get, .head]
            routes.on(path, method: .get, use: get)
        }
        if let post {
            allowed.append(.post)
            routes.on(path, method: .post, use: post)
        }
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        for method: HTTPRequest.Method in [.get, .head, .post, .put, .patch, .delete, .options]
        where !allowed.contains(method) {
            routes.on(path, method: method) { _, _ -> Response in
                var refusal = Refusal(
                    .invalidRequest, "This address takes \(names) only.", status: .methodNotAllowed)
                refusal.headers[.allow] = names
                throw refusal
            }
        }
    }
}
