import Hummingbird

extension Emulator {
    /// For clients that are to trust it.
    static func addRootCertificateRoutes(to open: Endpoints, _ authority: Authority) {
        open.add("/emulator-root.pem", get: RootCertificateController(authority: authority).root)
    }
}
