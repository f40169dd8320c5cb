import Hummingbird

extension Emulator {
    /// Settings › Sign in with Apple, for the made-up people.
    static func addSettingsRoutes(
        to router: Router<EmulatorContext>, _ authority: Authority, _ pages: Pages, access: LocalAccess
    ) {
        // The guard hangs on the group, not on a comparison of paths, so no spelling of a path leads around it.
        let group = router.group("/settings").add(middleware: PageGuard(authority: authority, access: access))
        let settings = Endpoints(routes: group)
        let apps = SettingsController(authority: authority, pages: pages)
        settings.add("/", get: apps.people)
        settings.add("/apps", get: apps.apps)
        settings.add("/app", get: apps.app)
        settings.add("/stop-using", post: apps.stopUsing)
        settings.add("/forwarding", post: apps.forwarding)
        let account = AccountController(authority: authority, pages: pages)
        settings.add("/password", get: account.password, post: account.changePassword)
        settings.add("/delete", get: account.confirmation, post: account.delete)
    }
}
