import AccountAPI
import AccountService
import AppleID
import HTTPTypes
import Hummingbird

/// The public keys with which other services verify this service's access tokens.
struct KeySetController: Sendable {
    let keys: ServerKeys

    /// Public and the same for all, so caches may hold it. Five minutes, which is short beside the time that a key is
    /// published before it signs.
    @Sendable func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let keys = await keys.publicKeys().map { key in
            PublicKeyBody(kid: key.id.rawValue, x: Base64URL.text(key.x), y: Base64URL.text(key.y))
        }
        return try Response(
            headers: [.cacheControl: "public, max-age=300"], json: KeySetAnswer(keys: keys))
    }
}
