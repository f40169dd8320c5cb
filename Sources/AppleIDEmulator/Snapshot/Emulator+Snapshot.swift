import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addSnapshotRoutes(to control: Endpoints, _ authority: Authority) {
        let snapshot = SnapshotController(authority: authority)
        control.add("/snapshot", get: snapshot.save, post: snapshot.load)
    }
}
