import AccountAPI
import HTTPTypes
import Hummingbird

/// Lets a page's form in only from this site: the cookie comes along with a form of any site's.
///
/// Browsers say where a request comes from in `Sec-Fetch-Site`, and those that do not know it yet in `Origin`. A
/// request that says neither is refused. The callbacks of Apple and of other providers, POSTs from their sites by design, are
/// not behind this; their `state` and the browser's cookie guard them.
struct SameOriginMiddleware: RouterMiddleware {
    /// Ours, from configuration.
    let origin: String

    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        guard Self.isSafe(request.method) || comesFromHere(request) else {
            throw HTTPFailure(.crossSiteRequest, "This form is taken from this site's own pages only.")
        }
        return try await next(request, context)
    }

    private func comesFromHere(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] {
            return site == "same-origin"
        }
        return request.headers[.origin] == origin
    }

    private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head
    }
}
