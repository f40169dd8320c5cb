/// One of the addresses that the sheet offers: the person's own, one by one, and the relay's.
///
/// In the form it is `share`, `share-2`, `share-3` and so on, or `hide`, so that a form cannot name anything else.
enum EmailChoice: Sendable, Equatable {
    case share(String)
    case hide

    /// In the order of the sheet. Who hides behind the relay is a person with an account of their own.
    static func offered(to person: Portal.Person) -> [EmailChoice] {
        person.addresses.map { .share($0) } + (person.isManaged ? [] : [.hide])
    }

    /// How the choices of ``offered(to:)`` stand in the form.
    static func words(for choices: [EmailChoice]) -> [String] {
        choices.enumerated().map { index, choice in
            choice == .hide ? "hide" : index == 0 ? "share" : "share-\(index + 1)"
        }
    }

    /// Nil for a word that the sheet does not offer to this person. Without a word, it is the first choice.
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
