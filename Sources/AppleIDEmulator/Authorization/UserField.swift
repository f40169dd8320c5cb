import AppleIDTypes

/// The `user` form field: a JSON text inside a string, unsigned, sent once in the life of a grant.
///
/// It holds only the parts whose scope was asked for, and without any scope there is none.
struct UserField {
    let text: String?

    init(person: Portal.Person, grant: Grant, consent: Consent) {
        guard !grant.scopes.isEmpty else {
            text = nil
            return
        }
        var members: [(String, JSONText?)] = []
        if grant.scopes.contains(.name) {
            let name: [(String, JSONText?)] = [
                ("firstName", .string(consent.firstName)), ("lastName", .string(consent.lastName)),
            ]
            members.append(("name", .object(name)))
        }
        if grant.scopes.contains(.email) {
            let relay = PairwiseIdentity(person: person, team: grant.team).relayAddress
            members.append(("email", .string(grant.hidesEmail ? relay : person.email)))
        }
        text = JSONText.object(members).text
    }
}
