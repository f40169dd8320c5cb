import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addGrantRoutes(to control: Endpoints, _ authority: Authority) {
        let grants = GrantsController(authority: authority)
        control.add("/grants", get: grants.grants)
        control.add("/grants/stop-using", post: grants.stopUsing)
        control.add("/grants/forwarding", post: grants.forwarding)
        let people = PeopleController(authority: authority)
        control.add("/people/change-password", post: people.changePassword)
        control.add("/people/delete", post: people.delete)
    }
}
