import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Records each request that a client or a browser makes. It leaves out control calls, and the assets of pages.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        guard !request.isUnder("/emulator"), !request.isUnder("/assets") else {
            return try await next(request, context)
        }
        let record = RequestRecord()
        let start = ContinuousClock.now
        let response = try await RequestRecord.$current.withValue(record) { try await next(request, context) }
        let content = record.content
        let client = content.clientID.flatMap { core.registry.clients[ClientID($0)] }
        core.requests.add(
            RequestLog.Entry(
                at: core.environment.seconds,
                method: Self.methods.contains(request.method) ? request.method.rawValue : "other",
                path: Self.path(context),
                status: response.status.code,
                milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1)),
                clientID: client?.id.rawValue ?? content.clientID.map { _ in "unknown" },
                error: content.error?.rawValue,
                reason: content.reason,
                parameters: content.parameters.sorted(),
                faults: content.faults.map(\.rawValue)))
        return response
    }

    /// The path of the route, and not the path that was sent: an unknown path, or a variable part of one, may hold a
    /// secret.
    private static func path(_ context: EmulatorContext) -> String {
        guard let route = context.endpointPath, route.hasPrefix("/") else { return "unknown" }
        let parts = route.split(separator: "/", omittingEmptySubsequences: false)
        return parts.map { $0.first == ":" ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
}
