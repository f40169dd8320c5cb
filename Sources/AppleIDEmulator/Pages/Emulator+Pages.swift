import Hummingbird

extension Emulator {
    /// What this is, and what pages are made of.
    static func addIndexRoutes(to open: Endpoints, _ authority: Authority, _ pages: Pages) {
        open.add("/", get: IndexController(authority: authority, pages: pages).index)
        open.add("/assets/emulator.css", get: Assets.stylesheet)
        open.add("/assets/delivery.js", get: Assets.deliveryScript)
        open.add("/assets/icon.svg", get: Assets.icon)
    }
}
