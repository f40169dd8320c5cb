import Hummingbird

extension Emulator {
    /// For clients that prove themselves.
    static func addMigrationRoutes(to open: Endpoints, _ authority: Authority) {
        open.add("/auth/usermigrationinfo", post: MigrationController(authority: authority).migrate)
    }

    /// Under `/emulator`.
    static func addTransferRoutes(to control: Endpoints, _ authority: Authority) {
        let transfers = TransfersController(authority: authority)
        control.add("/transfers", get: transfers.transfers, post: transfers.transfer)
    }
}
