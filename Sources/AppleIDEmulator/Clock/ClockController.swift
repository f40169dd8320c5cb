import HTTPTypes
import Hummingbird

/// `/emulator/clock`: the time by which codes, secrets and tokens age, and notifications are tried again.
struct ClockController: Sendable {
    let authority: Authority

    @Sendable func show(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    @Sendable func set(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        authority.clock.apply(try ClockOrder(await request.boundedBody()))
        authority.outbox.ring()
        return answer()
    }

    private func answer() -> Response {
        .uncachedJSON(
            .object([
                ("now", .integer(authority.environment.seconds)), ("frozen", .bool(authority.clock.isStopped)),
            ]))
    }
}
