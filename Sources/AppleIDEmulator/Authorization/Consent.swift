import AppleIDTypes

/// What a person agrees to hand over. It matters the first time only, and as far as the scopes go.
struct Consent: Sendable {
    var firstName: String
    var lastName: String
    var hidesEmail: Bool

    /// Untouched, the sheet proposes the name of the account and its own address.
    init(proposedFor person: Portal.Person) {
        let name = person.proposedName
        firstName = name.first
        lastName = name.last
        hidesEmail = false
    }

    static let maximumNameLength = 255

    /// The emulator lets strange names through, because people type strange names; only their length has a limit.
    func checkLengths() throws(Refusal) {
        for name in [firstName, lastName] where name.unicodeScalars.count > Self.maximumNameLength {
            throw Refusal(.invalidRequest, "A name may have \(Self.maximumNameLength) characters.")
        }
    }
}
