import AppleIDTypes

/// The data that a person agrees to share. It matters only for the scopes that the sheet asks for: those of the request the
/// first time, and later new ones at most.
struct Consent: Sendable {
    var firstName: String
    var lastName: String
    var hidesEmail: Bool
    /// The address that the person shares, unless they hide it. Nil for the account's own address.
    var sharedEmail: String?

    /// Creates the consent that the sheet proposes: the name of the account, and its own address.
    init(proposedFor person: Portal.Person) {
        let name = person.proposedName
        firstName = name.first
        lastName = name.last
        hidesEmail = false
    }

    static let maximumNameLength = 255

    /// Checks that this person can give this consent to any app.
    ///
    /// The emulator lets strange names through, because people type strange names; only their length has a limit.
    func check(for person: Portal.Person, behaviour: Behaviour) throws(Refusal) {
        guard person.hasTwoFactor else {
            throw Refusal(
                .twoFactorRequired,
                "Sign in with Apple is for accounts with two-factor authentication, and this one has none.")
        }
        guard person.child != true || !behaviour.refusesChildren else {
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

extension EmulatorCore {
    /// Checks that a person can give this consent, by the behaviour as it is now.
    func check(_ consent: Consent, of person: Portal.Person) throws(Refusal) {
        try consent.check(for: person, behaviour: current.behaviour)
    }
}

/// One of the addresses that the sheet offers: the person's own addresses, and the relay address.
///
/// In the form it is `share`, `share-2`, `share-3` and so on, or `hide`, so that a form cannot name anything else.
enum EmailChoice: Sendable, Equatable {
    case share(String)
    case hide

    /// The choices in the order of the sheet. Only a person with an account of their own can hide behind the relay.
    static func offered(to person: Portal.Person) -> [EmailChoice] {
        person.addresses.map { .share($0) } + (person.isManaged ? [] : [.hide])
    }

    /// The words for the choices of ``offered(to:)`` in the form.
    static func words(for choices: [EmailChoice]) -> [String] {
        choices.enumerated().map { index, choice in
            choice == .hide ? "hide" : index == 0 ? "share" : "share-\(index + 1)"
        }
    }

    /// Nil for a word that the sheet does not offer to this person. If there is no word, it is the first choice.
    init?(_ word: String?, of person: Portal.Person) {
        let choices = Self.offered(to: person)
        let words = Self.words(for: choices)
        guard let word else {
            self = choices.first ?? .share("")
            return
        }
        guard let index = words.firstIndex(of: word) else { return nil }
        self = choices[index]
    }

    func apply(to consent: inout Consent) {
        switch self {
        case .share(let address):
            consent.hidesEmail = false
            consent.sharedEmail = address.isEmpty ? nil : address
        case .hide:
            consent.hidesEmail = true
            consent.sharedEmail = nil
        }
    }
}

/// The address that an app got before the person stopped using it. See ``Behaviour/stopUsingKeepsEmailChoice``.
struct RememberedEmail: Hashable, Sendable, Codable {
    let key: Grant.Key
    private let hidesEmail: Bool
    private let sharedEmail: String?

    /// Returns nil for an app that never asked for the address.
    init?(_ grant: Grant) {
        guard grant.scopes.contains(.email) else { return nil }
        key = grant.key
        hidesEmail = grant.hidesEmail
        sharedEmail = grant.sharedEmail
    }

    /// Returns nil when the person no longer has that address, and so has to choose.
    func choice(of person: Portal.Person) -> EmailChoice? {
        if hidesEmail { return person.isManaged ? nil : .hide }
        guard let address = sharedEmail ?? person.addresses.first, person.addresses.contains(address) else {
            return nil
        }
        return .share(address)
    }
}

/// The `user` form field: a JSON text inside a string, unsigned. Apple sends it once in the life of a grant;
/// ``Behaviour/asksForNewScopes`` and ``Behaviour/siblingAppsGetName`` make the emulator send it again.
///
/// It holds only the parts whose scope was asked for. Without any part there is no field.
struct UserField {
    let text: String?

    /// - Parameters:
    ///   - scopes: the scopes whose values the app gets.
    ///   - email: the address that the app gets, perhaps a relay address; nil when the account has none.
    ///   - hasAllParts: puts empty texts in the place of scopes that the app doesn't get.
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
        text = members.contains { $0.1 != nil } ? JSONText.object(members).text : nil
    }
}
