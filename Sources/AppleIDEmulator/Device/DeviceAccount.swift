/// Who is signed in to the device itself.
enum DeviceAccount: Hashable, Sendable {
    /// A person, by id.
    case person(String)
    case none

    /// - Parameters:
    ///   - person: an id, if one was given.
    ///   - isMissing: whether it was said that there is no account.
    init?(person: String?, isMissing: Bool) throws(Refusal) {
        switch (person, isMissing) {
        case (let person?, false): self = .person(person)
        case (nil, true): self = .none
        case (nil, false): return nil
        case (_?, true): throw Members.refused("person", "cannot stand beside noAccount")
        }
    }
}
