import HTTPTypes
import Hummingbird

/// `GET /auth/keys`: the public halves of the keys that sign identity tokens.
struct KeysController: Sendable {
    let authority: Authority

    @Sendable func keys(_ request: Request, _ context: EmulatorContext) -> Response {
        .json([("keys", .array(authority.publishedKeys.map(\.publicJSON)))])
    }
}
