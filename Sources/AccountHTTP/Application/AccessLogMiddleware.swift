import HTTPTypes
import Hummingbird
import Logging

/// One line a request: what was called and how it ended.
///
/// A refusal and a failure at info, what went well at debug: who signed in is in the audit, how often each route was
/// called is in the metrics, and a log that is full of successes hides the rest. The route is logged instead of the
/// path: a path and its query can hold anything that a client puts there.
struct AccessLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: Next
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let route = context.endpointPath ?? "none"
        context.logger.log(
            level: response.status.code < 400 ? .debug : .info,
            "Request answered",
            metadata: [
                "method": "\(request.method)",
                "route": "\(route)",
                "status": "\(response.status.code)",
                "microseconds": "\((ContinuousClock.now - start) / .microseconds(1))",
            ]
        )
        return response
    }
}
