import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/snapshot`: takes the whole state along, and brings it back.
struct SnapshotController: Sendable {
    let authority: Authority

    @Sendable func save(_ request: Request, _ context: EmulatorContext) throws -> Response {
        var response = Response.json(text: String(decoding: try authority.snapshot().encoded(), as: UTF8.self))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    @Sendable func load(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.load(request.boundedBody(upTo: SavedState.maximumBytes))
        return Response(status: .noContent)
    }
}
