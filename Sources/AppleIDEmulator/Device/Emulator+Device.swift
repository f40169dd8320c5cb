import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addDeviceRoutes(to control: Endpoints, _ authority: Authority) {
        let device = DeviceController(authority: authority)
        control.add("/device/authorizations", post: device.authorize)
        control.add("/device/credential-state", post: device.credentialState)
    }
}
