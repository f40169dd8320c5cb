import AppleIDTypes
import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addPortalRoutes(to control: Endpoints, _ authority: Authority) {
        let portal = PortalChangesController(authority: authority)
        func remove(_ take: @escaping @Sendable (inout Portal, String) throws(Refusal) -> Void) -> Endpoints.Handler {
            PortalChangesController.remove(authority, take)
        }
        control.add("/portal", get: PortalController(authority: authority).portal)
        control.add("/portal/teams", post: portal.putTeam)
        control.add(
            "/portal/teams/remove", post: remove { (portal, id) throws(Refusal) in try portal.remove(TeamID(id)) })
        control.add("/portal/apps", post: portal.putApp)
        control.add(
            "/portal/apps/remove",
            post: remove { (portal, id) throws(Refusal) in try portal.remove(app: ClientID(id)) })
        control.add("/portal/services", post: portal.putService)
        control.add(
            "/portal/services/remove",
            post: remove { (portal, id) throws(Refusal) in try portal.remove(service: ClientID(id)) })
        control.add("/portal/keys", post: portal.putKey)
        control.add(
            "/portal/keys/remove", post: remove { (portal, id) throws(Refusal) in try portal.remove(KeyID(id)) })
        control.add("/portal/people", post: portal.putPerson)
        control.add(
            "/portal/people/remove", post: remove { (portal, id) throws(Refusal) in try portal.remove(person: id) })
    }
}
