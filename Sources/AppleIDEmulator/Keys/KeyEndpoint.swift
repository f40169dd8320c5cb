import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `GET /auth/keys`: the public halves of the keys that sign identity tokens.
struct PublishedKeysEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func keys(_ request: Request, _ context: EmulatorContext) -> Response {
        .json([("keys", .array(core.publishedKeys.map(\.publicJSON)))])
    }
}

/// `/emulator/keys`: changes of the keys, which Apple makes without notice.
struct SigningKeyEndpoint: Sendable {
    let core: EmulatorCore

    @Sendable func list(_ request: Request, _ context: EmulatorContext) -> Response {
        answer()
    }

    /// Makes a key, which takes up to half a second, and signs with it from then on.
    @Sendable func rotate(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await core.rotateKeys()
        return answer()
    }

    /// Removes the key that `kid` names, or all but the signing key without it.
    @Sendable func retire(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let id = try await request.optionalMember("kid").map { KeyID($0) }
        try core.step { (state) throws(Refusal) in try state.retire(id) }
        try await core.saveState()
        return answer()
    }

    private func answer() -> Response {
        let keys = core.publishedKeys
        return .uncachedJSON(
            .object([
                ("signing", .string(keys.first?.id.rawValue)),
                ("published", .array(keys.map { .string($0.id.rawValue) })),
            ]))
    }
}
