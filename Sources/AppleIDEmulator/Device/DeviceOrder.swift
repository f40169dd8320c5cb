import AppleIDTypes

/// The body of `POST /emulator/device/authorizations`: an `ASAuthorizationAppleIDRequest`, the account on the device,
/// and what the person in front of it does.
struct DeviceOrder: Sendable {
    let account: DeviceAccount
    /// As for any other authorization; the rules for devices decide about them.
    let parameters: AuthorizationParameters
    /// In the order of the request.
    let requestedScopes: [Scope]
    /// Whom the app expects, if it does.
    let user: Subject?
    let decision: PersonDecision
    let realUserStatus: RealUserStatus?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var order = try Members(bytes)
        let account = try DeviceAccount(
            person: try order.string("person"), isMissing: try order.bool("noAccount") ?? false)
        guard let account else { throw Members.refused("person", "is missing, and noAccount is not true") }
        self.account = account
        requestedScopes = try Self.scopes(try order.strings("requestedScopes") ?? [])
        var parameters = AuthorizationParameters()
        parameters.clientID = try order.required("clientID")
        parameters.state = try order.string("state")
        parameters.nonce = try order.string("nonce")
        if !requestedScopes.isEmpty {
            parameters.scope = requestedScopes.map(\.rawValue).joined(separator: " ")
        }
        self.parameters = parameters
        user = try order.string("user").map { Subject($0) }
        decision = try PersonDecision(&order, names: ("fullName", "givenName", "familyName"))
        realUserStatus = try order.realUserStatus()
        try order.checkNothingIsLeft()
    }

    /// The framework's raw values; on the web the first of them is called `name`.
    private static func scopes(_ words: [String]) throws(Refusal) -> [Scope] {
        var scopes: [Scope] = []
        for word in words {
            switch word {
            case "full_name": scopes.append(.name)
            case "email": scopes.append(.email)
            default: throw Members.refused("requestedScopes", "may hold \"full_name\" and \"email\"")
            }
        }
        guard Set(scopes).count == scopes.count else {
            throw Members.refused("requestedScopes", "must not hold a scope twice")
        }
        return scopes
    }
}
