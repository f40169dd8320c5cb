import AppleIDTypes

/// Which address an app got before the person stopped using it, where a quirk has it that nobody is asked again.
struct KeptEmail: Hashable, Sendable, Codable {
    let key: Grant.Key
    private let hidesEmail: Bool
    private let sharedEmail: String?

    /// Nil for an app that never asked.
    init?(_ grant: Grant) {
        guard grant.scopes.contains(.email) else { return nil }
        key = grant.key
        hidesEmail = grant.hidesEmail
        sharedEmail = grant.sharedEmail
    }

    /// Nil when the person has that address no more, and so has to choose.
    func choice(of person: Portal.Person) -> EmailChoice? {
        if hidesEmail { return person.isManaged ? nil : .hide }
        guard let address = sharedEmail ?? person.addresses.first, person.addresses.contains(address) else {
            return nil
        }
        return .share(address)
    }
}
