import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/device`: the answers of Apple's framework to an app on a device, for tests of native clients.
struct DeviceEndpoint: Sendable {
    let core: EmulatorCore

    /// `POST /emulator/device/authorizations`
    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let call = try DeviceAuthorizationRequest(await request.boundedBody())
        return .uncachedJSON(try await core.authorize(call).json)
    }

    /// `POST /emulator/device/credential-state` with `clientID` and `user`, and if wanted `person` or `noAccount`.
    @Sendable func credentialState(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let client = try body.required("clientID")
        let user = Subject(try body.required("user"))
        let account = try DeviceAccount(
            person: try body.string("person"), isMissing: try body.bool("noAccount") ?? false)
        try body.checkAllWereRead()
        let state = try core.credentialState(of: user, clientID: client, on: account)
        return .uncachedJSON(
            .object([("credentialState", .string("\(state)")), ("rawValue", .integer(state.rawValue))]))
    }
}

extension EmulatorCore {
    /// Authorizes an app on a device. The rules and the grant are those of every authorization.
    func authorize(_ call: DeviceAuthorizationRequest) async throws -> DeviceAnswer {
        var request = try rules.checkNative(call.parameters)
        request.realUserStatus = call.realUserStatus ?? request.realUserStatus
        let state = current
        guard case .person(let id) = call.account else {
            return .error(state.behaviour.missingDeviceAccount == .canceled ? .canceled : .unknown)
        }
        let person = try person(id)
        // The sheet opens neither for an app without the capability, nor for an account that may not sign in anywhere.
        let isBarred = !person.hasTwoFactor || person.child == true && state.behaviour.refusesChildren
        if isBarred || state.behaviour.clientsLackCapability { return .error(.unknown) }
        if call.decision.isCancelled { return .error(.canceled) }
        if let user = call.user, !state.isSubject(user, of: person, for: request.client) { return .error(.failed) }

        let authorization = try await recordConsent(request, by: person, call.decision.consent(of: person))
        // A device always gets a token; the rules for it see to that.
        guard let claims = authorization.claims else { return .error(.failed) }
        let scopes = call.requestedScopes.filter(authorization.grant.scopes.contains)
        return .credential(
            DeviceCredential(
                user: claims.subject,
                state: request.state,
                authorizedScopes: state.behaviour.credentialOmitsScopes ? [] : scopes,
                code: authorization.code,
                identityToken: try signIdentityToken(claims),
                email: authorization.told.contains(.email) ? claims.email : nil,
                name: authorization.told.contains(.name) ? authorization.grant.name : nil,
                realUserStatus: claims.realUserStatus ?? .unknown,
                ageRange: DeviceCredential.AgeRange(of: person)))
    }

    func credentialState(of user: Subject, clientID: String, on account: DeviceAccount?) throws(Refusal)
        -> CredentialState
    {
        let state = current
        guard let client = state.registry.clients[ClientID(clientID)], client.kind == .app else {
            throw Refusal(.invalidClient, "clientID must be an App ID.")
        }
        return state.credentialState(of: user, for: client, on: account)
    }
}

/// The body of `POST /emulator/device/authorizations`: an `ASAuthorizationAppleIDRequest`, the account on the device,
/// and what the person in front of it does.
struct DeviceAuthorizationRequest: Sendable {
    let account: DeviceAccount
    /// The parameters of any authorization; the rules for devices decide about them.
    let parameters: AuthorizationParameters
    /// The requested scopes, in the order of the request.
    let requestedScopes: [Scope]
    /// The person that the app expects; nil for anyone.
    let user: Subject?
    let decision: PersonDecision
    let realUserStatus: RealUserStatus?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        let account = try DeviceAccount(
            person: try members.string("person"), isMissing: try members.bool("noAccount") ?? false)
        guard let account else { throw Members.refused("person", "is missing, and noAccount is not true") }
        self.account = account
        requestedScopes = try Self.scopes(try members.strings("requestedScopes") ?? [])
        var parameters = AuthorizationParameters()
        parameters.clientID = try members.required("clientID")
        parameters.state = try members.string("state")
        parameters.nonce = try members.string("nonce")
        if !requestedScopes.isEmpty {
            parameters.scope = requestedScopes.map(\.rawValue).joined(separator: " ")
        }
        self.parameters = parameters
        user = try members.string("user").map { Subject($0) }
        decision = try PersonDecision(&members, names: ("fullName", "givenName", "familyName"))
        realUserStatus = try members.realUserStatus()
        try members.checkAllWereRead()
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

/// The account that is signed in to the device itself.
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
