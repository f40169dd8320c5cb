import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /emulator/portal/services/verify`: shows that a domain of a Services ID belongs to the team. That it does not
/// is an answer, not a failure of the call.
struct WebDomainsController: Sendable {
    let authority: Authority

    @Sendable func verify(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let order = try WebDomainOrder(await request.boundedBody())
        let (file, check) = try await authority.verify(order)
        return .uncachedJSON(
            .object([
                ("id", .string(order.service.rawValue)), ("domain", .string(order.domain)),
                ("verified", .bool(check.isGood)), ("association", .string(check.description)),
                ("associationFile", file.json),
            ]))
    }
}
