import AppleIDTypes

extension Authority {
    /// Changes the portal by order of a control call: what comes out is a portal still, and what was put into it keeps
    /// the rules of Apple's. What else is there need not, since whoever starts an emulator may be freer.
    func amendPortal(
        _ change: @escaping (inout Portal) throws(Refusal) -> Void,
        keeping check: @escaping (PortalRules, Portal) throws(EmulatorError) -> Void = { _, _ in }
    ) async throws {
        try step { [rules = PortalRules(isStrict: configuration.strictURLs)] (state) throws(Refusal) in
            var portal = state.registry.portal
            try change(&portal)
            do throws(EmulatorError) {
                let registry = try Registry(portal)
                try check(rules, portal)
                state.change(to: registry)
            } catch {
                throw Refusal(error)
            }
        }
        try await keep()
    }
}
