import AppleID
import AppleIDTypes

extension App {
    /// Refuses apps that could never do what they are configured for.
    /// - Throws: ``AccountError/Code/configuration``.
    static func check(_ apps: [App], clients: [ClientID: AppleClient]) throws(AccountError) {
        var ids: Set<AppID> = []
        for app in apps {
            guard ids.insert(app.id).inserted else {
                throw AccountError(.configuration, "two apps have the id `\(app.id)`")
            }
            guard !app.id.rawValue.isEmpty, !app.name.isEmpty else {
                throw AccountError(.configuration, "an app needs an id and a name")
            }
            guard !app.clientIDs.isEmpty else {
                throw AccountError(.configuration, "app `\(app.id)` has neither a Services ID nor a bundle id")
            }
            for id in app.bundleIDs {
                guard clients[id]?.kind == .app else {
                    throw AccountError(.configuration, "bundle id `\(id)` of app `\(app.id)` is no configured client")
                }
            }
            if let id = app.servicesID {
                guard clients[id]?.kind == .service else {
                    throw AccountError(
                        .configuration, "Services ID `\(id)` of app `\(app.id)` is no configured client")
                }
            } else if !app.returnTargets.isEmpty {
                throw AccountError(
                    .configuration, "app `\(app.id)` has return targets, but no Services ID to ask Apple with")
            }
        }
    }
}
