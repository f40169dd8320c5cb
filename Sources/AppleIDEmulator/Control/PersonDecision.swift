/// What the person does with the sheet, as control calls tell it: for the web and for devices alike.
struct PersonDecision: Sendable {
    let isCancelled: Bool
    private let firstName: String?
    private let lastName: String?
    private let hidesEmail: Bool?
    /// One of the person's addresses; their first unless told otherwise.
    private let sharedEmail: String?

    /// Takes `decision`, `hideEmail`, `email` and the name.
    /// - Parameter names: of the member with the name and of its parts, which Apple spells differently on devices.
    init(
        _ order: inout Members, names: (whole: String, first: String, last: String)
    ) throws(Refusal) {
        switch try order.string("decision") {
        case nil, "continue": isCancelled = false
        case "cancel": isCancelled = true
        default: throw Members.refused("decision", "must be \"continue\" or \"cancel\"")
        }
        hidesEmail = try order.bool("hideEmail")
        sharedEmail = try order.string("email")
        guard hidesEmail != true || sharedEmail == nil else {
            throw Members.refused("email", "is for an address that is not hidden")
        }
        if let value = order.value(names.whole) {
            var name = try Members(value, path: "\(names.whole).")
            firstName = try name.string(names.first)
            lastName = try name.string(names.last)
            try name.checkNothingIsLeft()
        } else {
            firstName = nil
            lastName = nil
        }
    }

    /// What was not said is as the sheet proposes it.
    func consent(of person: Portal.Person) -> Consent {
        var consent = Consent(proposedFor: person)
        consent.firstName = firstName ?? consent.firstName
        consent.lastName = lastName ?? consent.lastName
        consent.hidesEmail = hidesEmail ?? consent.hidesEmail
        consent.sharedEmail = sharedEmail
        return consent
    }
}
