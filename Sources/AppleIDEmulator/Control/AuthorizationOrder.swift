import AppleIDTypes

/// The body of `POST /emulator/authorizations`: a request and the person's decision in one, the sheet without a
/// browser.
struct AuthorizationOrder: Sendable {
    let person: String
    let parameters: AuthorizationParameters
    let isNative: Bool
    let decision: PersonDecision
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
        realUserStatus = try order.realUserStatus()
        guard realUserStatus == nil || isNative else { throw Members.refused("realUserStatus", "is for devices only") }
        decision = try PersonDecision(&order, names: ("name", "firstName", "lastName"))
        try order.checkNothingIsLeft()
    }
}
