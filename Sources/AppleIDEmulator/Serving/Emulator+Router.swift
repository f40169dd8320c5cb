import Hummingbird

extension Emulator {
    /// All addresses. Each feature adds its own, in a file of its folder that is named like this one.
    ///
    /// - Parameter isExposed: whether the server listens where other machines reach it.
    static func router(_ authority: Authority, _ pages: Pages, isExposed: Bool) -> Router<EmulatorContext> {
        let access = LocalAccess(isExposed: isExposed)
        let router = Router(context: EmulatorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLogMiddleware(authority: authority))
        router.add(middleware: RefusalMiddleware(authority: authority, pages: pages))
        router.add(middleware: FaultMiddleware(authority: authority))
        addOpenRoutes(to: Endpoints(routes: router), authority, pages)
        // The guards hang on groups, not on a comparison of paths, so no spelling of a path leads around them.
        let sheet = router.group("/auth/authorize").add(middleware: SheetGuard(authority: authority))
        addAuthorizationRoutes(to: Endpoints(routes: sheet), authority, pages)
        addSettingsRoutes(to: router, authority, pages, access: access)
        addInboxRoutes(to: router, authority, pages, access: access)
        let group = router.group("/emulator").add(middleware: ControlGuard(authority: authority, access: access))
        addControlRoutes(to: Endpoints(routes: group), authority, pages)
        return router
    }

    /// What Apple has, for everybody.
    private static func addOpenRoutes(to open: Endpoints, _ authority: Authority, _ pages: Pages) {
        addIndexRoutes(to: open, authority, pages)
        addDiscoveryRoutes(to: open, authority)
        addRootCertificateRoutes(to: open, authority)
        addKeyRoutes(to: open, authority)
        addSignInRoutes(to: open, authority, pages)
        addScriptRoutes(to: open, authority)
        addTokenRoutes(to: open, authority)
        addRevocationRoutes(to: open, authority)
        addMigrationRoutes(to: open, authority)
    }

    /// What only the emulator has, for whoever runs it.
    private static func addControlRoutes(to control: Endpoints, _ authority: Authority, _ pages: Pages) {
        addDescriptionRoutes(to: control)
        addPortalRoutes(to: control, authority)
        addWebDomainRoutes(to: control, authority)
        addAuthorizationOrderRoutes(to: control, authority)
        addDeviceRoutes(to: control, authority)
        addGrantRoutes(to: control, authority)
        addTransferRoutes(to: control, authority)
        addNotificationRoutes(to: control, authority)
        addEmailSourceRoutes(to: control, authority)
        addMailRoutes(to: control, authority)
        addSigningKeyRoutes(to: control, authority)
        addClockRoutes(to: control, authority)
        addQuirkRoutes(to: control, authority)
        addFaultRoutes(to: control, authority)
        addRequestRoutes(to: control, authority, pages)
        addSnapshotRoutes(to: control, authority)
        addResetRoutes(to: control, authority)
    }
}
