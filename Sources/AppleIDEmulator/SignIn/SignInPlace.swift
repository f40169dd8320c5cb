/// Where a person wants to get in.
enum SignInPlace: Sendable {
    /// The sheet of a request under way, known by its name.
    case sheet(AuthorizationRequest, id: String)
    case settings

    /// What comes after the steps. It says that a cookie has been set, so that a browser that keeps none can be told.
    func address(for person: Portal.Person) -> String {
        let query = "person=\(person.id.percentEncoded)&cookie=set"
        return switch self {
        case .sheet(_, let id): "/auth/authorize/sheet?request=\(id.percentEncoded)&\(query)"
        case .settings: "/settings/apps?\(query)"
        }
    }
}
