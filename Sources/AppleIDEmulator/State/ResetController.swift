import HTTPTypes
import Hummingbird

/// `POST /emulator/reset`: forgets what people did, between one test and the next.
struct ResetController: Sendable {
    let authority: Authority

    /// Portal, keys, quirks and clock stay, because others hold on to them or have calls of their own. Faults and the
    /// request log go: the next test wants neither.
    @Sendable func reset(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try authority.step { $0.reset() }
        authority.outbox.advance { $0 = NotificationQueue() }
        authority.faults.clear()
        authority.requests.clear()
        try await authority.keep()
        return .uncachedJSON(.object([]))
    }
}
