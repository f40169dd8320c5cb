import AppleIDTypes

/// The body of `POST /emulator/authorizations`: a request and the person's decision in one, the sheet without a browser.
struct AuthorizationOrder: Sendable {
    let person: String
    let parameters: AuthorizationParameters
    let isNative: Bool
    let isCancelled: Bool
    let firstName: String?
    let lastName: String?
    let hidesEmail: Bool?
    /// One of the person's addresses; their first unless told otherwise.
    let sharedEmail: String?
    /// For devices only, where it is `likelyReal` unless told otherwise.
    let realUserStatus: RealUserStatus?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        person = try order.required("person")
        isNative = try order.bool("native") ?? false
        var parameters = AuthorizationParameters()
        parameters.clientID = try order.string("clientID")
        parameters.redirectURI = try order.string("redirectURI")
        parameters.responseType = try order.string("responseType")
        parameters.responseMode = try order.string("responseMode")
        parameters.scope = try order.string("scope")
        parameters.state = try order.string("state")
        parameters.nonce = try order.string("nonce")
        parameters.codeChallenge = try order.string("codeChallenge")
        if parameters.codeChallenge != nil { parameters.codeChallengeMethod = "S256" }
        self.parameters = parameters
        realUserStatus = try Self.realUserStatus(try order.integer("realUserStatus"), isNative: isNative)
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
        if let value = order.value("name") {
            var name = try Members(value, path: "name.")
            firstName = try name.string("firstName")
            lastName = try name.string("lastName")
            try name.checkNothingIsLeft()
        } else {
            firstName = nil
            lastName = nil
        }
        try order.checkNothingIsLeft()
    }

    private static func realUserStatus(_ number: Int64?, isNative: Bool) throws(Refusal) -> RealUserStatus? {
        guard let number else { return nil }
        guard isNative else { throw Members.refused("realUserStatus", "is for devices only") }
        guard (0...2).contains(number) else { throw Members.refused("realUserStatus", "must be 0, 1 or 2") }
        return RealUserStatus(rawValue: Int(number))
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
