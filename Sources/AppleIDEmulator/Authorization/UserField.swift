import AppleIDTypes

/// The `user` form field: a JSON text inside a string, unsigned, sent once in the life of a grant.
///
/// It holds only the parts whose scope was asked for, and without any scope there is none.
struct UserField {
    let text: String?

    /// - Parameters:
    ///   - scopes: what the person was asked for just now.
    ///   - email: what the app gets to know, be it the relay's; nil when the account has no address.
    ///   - hasAllParts: puts empty texts where nothing was asked for.
    init(_ scopes: Set<Scope>, _ name: Grant.Name, email: String?, hasAllParts: Bool) {
        guard !scopes.isEmpty else {
            text = nil
            return
        }
        var members: [(String, JSONText?)] = []
        if scopes.contains(.name) || hasAllParts {
            let name = scopes.contains(.name) ? name : Grant.Name(firstName: "", lastName: "")
            members.append(
                ("name", .object([("firstName", .string(name.firstName)), ("lastName", .string(name.lastName))])))
        }
        if scopes.contains(.email) {
            members.append(("email", .string(email)))
        } else if hasAllParts {
            members.append(("email", .string("")))
        }
        text = JSONText.object(members).text
    }
}
