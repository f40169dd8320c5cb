import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/faults`: orders what goes wrong.
struct FaultsController: Sendable {
    let authority: Authority

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        .uncachedJSON(.object([("faults", .array(authority.faults.faults.map(\.json)))]))
    }

    @Sendable func add(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let fault = try Fault(await request.boundedBody())
        return .uncachedJSON(try authority.faults.add(fault).json)
    }

    /// The one named by `id`; without it, all.
    @Sendable func clear(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let body = try await request.boundedBody()
        var id: String?
        if !body.isEmpty {
            var order = try Members(body)
            id = try order.string("id")
            try order.checkNothingIsLeft()
        }
        if let id { try authority.faults.clear(id) } else { authority.faults.clear() }
        return list(request, context)
    }
}
