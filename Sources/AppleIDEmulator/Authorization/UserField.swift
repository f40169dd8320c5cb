import AppleIDTypes

/// The `user` form field: a JSON text inside a string, unsigned, sent once in the life of a grant.
///
/// It holds only the parts whose scope was asked for, and without any scope there is none.
struct UserField {
    let text: String?

    /// - Parameters:
    ///   - scopes: what the person was asked for just now.
    ///   - email: what the app gets to know, be it the relay's; nil when the account has no address.
    init(_ scopes: Set<Scope>, _ consent: Consent, email: String?) {
        guard !scopes.isEmpty else {
            text = nil
            return
        }
        var members: [(String, JSONText?)] = []
        if scopes.contains(.name) {
            let name: [(String, JSONText?)] = [
                ("firstName", .string(consent.firstName)), ("lastName", .string(consent.lastName)),
            ]
            members.append(("name", .object(name)))
        }
        if scopes.contains(.email) { members.append(("email", .string(email))) }
        text = JSONText.object(members).text
    }
}
