import HTTPTypes
import Hummingbird

/// `/emulator/requests`: what came in lately.
struct RequestsController: Sendable {
    let authority: Authority
    let pages: Pages

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        .uncachedJSON(.object([("requests", .array(authority.requests.entries.map(\.json)))]))
    }

    @Sendable func clear(_ request: Request, _ context: EmulatorContext) -> Response {
        authority.requests.clear()
        return list(request, context)
    }

    /// The same for people, newest first.
    @Sendable func page(_ request: Request, _ context: EmulatorContext) -> Response {
        .page(pages.requests(authority.requests.entries.reversed(), at: authority.environment.seconds))
    }
}
