import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/snapshot`: takes the whole state along, and brings it back.
struct SnapshotController: Sendable {
    let authority: Authority

    @Sendable func save(_ request: Request, _ context: EmulatorContext) throws -> Response {
        try PortalController.response(authority.snapshot())
    }

    @Sendable func load(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.load(request.boundedBody(upTo: Snapshot.maximumBytes))
        return Response(status: .noContent)
    }
}

extension Emulator {
    /// Under `/emulator`.
    static func addSnapshotRoutes(to control: Endpoints, _ authority: Authority) {
        let snapshot = SnapshotController(authority: authority)
        control.add("/snapshot", get: snapshot.save, post: snapshot.load)
    }
}
