import AppleIDTypes

/// What a person agrees to hand over. It matters the first time only, and as far as the scopes go.
struct Consent: Sendable {
    var firstName: String
    var lastName: String
    var hidesEmail: Bool
    /// Which of the person's addresses, unless it is hidden; nil: the account's own.
    var sharedEmail: String?

    /// Untouched, the sheet proposes the name of the account and its own address.
    init(proposedFor person: Portal.Person) {
        let name = person.proposedName
        firstName = name.first
        lastName = name.last
        hidesEmail = false
    }

    static let maximumNameLength = 255

    /// Whether this person can agree to this at all, whoever asks.
    ///
    /// The emulator lets strange names through, because people type strange names; only their length has a limit.
    func check(for person: Portal.Person, quirks: Set<EmulatorConfiguration.Quirk>) throws(Refusal) {
        guard person.hasTwoFactor else {
            throw Refusal(
                .twoFactorRequired,
                "Sign in with Apple is for accounts with two-factor authentication, and this one has none.")
        }
        guard person.child != true || !quirks.contains(.refusesChildren) else {
            throw Refusal(
                .childAccount, "This is an account of a child, and its family does not allow the app.")
        }
        guard !hidesEmail || !person.isManaged else {
            throw Refusal(
                .noRelayAddress, "An account that an organization manages has no relay address to hide behind.")
        }
        if let sharedEmail, !person.addresses.contains(sharedEmail) {
            throw Refusal(.invalidRequest, "The address to share is none of this person's.")
        }
        for name in [firstName, lastName] where name.unicodeScalars.count > Self.maximumNameLength {
            throw Refusal(.invalidRequest, "A name may have \(Self.maximumNameLength) characters.")
        }
    }
}
