import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addNotificationRoutes(to control: Endpoints, _ authority: Authority) {
        let notifications = NotificationsController(authority: authority)
        control.add("/notifications", get: notifications.list, post: notifications.send)
        control.add("/notifications/address", post: notifications.register)
        control.add("/notifications/hold", post: notifications.hold)
        control.add("/notifications/release", post: notifications.release)
        control.add("/notifications/:id/replay", post: notifications.replay)
    }
}
