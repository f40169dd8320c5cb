import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/keys`: what Apple does with its keys at times that it tells nobody.
struct SigningKeysController: Sendable {
    let authority: Authority

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    /// Makes a key, which takes up to half a second, and signs with it from then on.
    @Sendable func rotate(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.rotateKeys()
        return answer()
    }

    /// The one named by `kid`; without it, all but the one that signs.
    @Sendable func retire(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let body = try await request.boundedBody()
        var id: KeyID?
        if !body.isEmpty {
            var order = try Members(body)
            id = try order.string("kid").map { KeyID($0) }
            try order.checkNothingIsLeft()
        }
        try authority.step { [id] (state) throws(Refusal) in try state.retire(id) }
        try await authority.keep()
        return answer()
    }

    private func answer() -> Response {
        let keys = authority.publishedKeys
        return .uncachedJSON(
            .object([
                ("signing", .string(keys.first?.id.rawValue)),
                ("published", .array(keys.map { .string($0.id.rawValue) })),
            ]))
    }
}
