import Hummingbird

extension Emulator {
    /// What everybody sees of the keys.
    static func addKeyRoutes(to open: Endpoints, _ authority: Authority) {
        open.add("/auth/keys", get: KeysController(authority: authority).keys)
    }

    /// Under `/emulator`.
    static func addSigningKeyRoutes(to control: Endpoints, _ authority: Authority) {
        let keys = SigningKeysController(authority: authority)
        control.add("/keys", get: keys.list)
        control.add("/keys/rotate", post: keys.rotate)
        control.add("/keys/retire", post: keys.retire)
    }
}
