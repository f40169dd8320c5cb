import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Remembers each request that a client or a browser makes; the control calls and what pages are made of do not count.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = EmulatorContext

    let authority: Authority

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard !path.hasPrefix("/emulator"), !path.hasPrefix("/assets/") else { return try await next(request, context) }
        let note = RequestNote()
        let start = ContinuousClock.now
        let response = try await RequestNote.$current.withValue(note) { try await next(request, context) }
        let content = note.content
        let client = content.clientID.flatMap { authority.registry.clients[ClientID($0)] }
        authority.requests.add(
            RequestLog.Entry(
                at: authority.environment.seconds,
                method: Self.methods.contains(request.method) ? request.method.rawValue : "other",
                // An address that is none of ours may be somebody's secret in the wrong place.
                path: content.isKnown ? path : "unknown",
                status: response.status.code,
                milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1)),
                clientID: client?.id.rawValue ?? content.clientID.map { _ in "unknown" },
                error: content.error?.rawValue,
                parameters: content.parameters.sorted(),
                faults: content.faults.map(\.rawValue)))
        return response
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
}
