import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /emulator/authorizations`: the sheet without a browser, and the device without a device.
///
/// The rules and the state are those behind the pages. The answer holds the fields that Apple would hand to the
/// client, and a person's Cancel is such a field, not a failure of the call.
struct AuthorizationControl: Sendable {
    let core: EmulatorCore

    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let call = try AuthorizationControlRequest(await request.boundedBody())
        let person = try core.person(call.person)
        var checked =
            call.isNative
            ? try core.rules.checkNative(call.parameters)
            : try core.rules.check(withDefaults(call.parameters))
        checked.realUserStatus = call.realUserStatus ?? checked.realUserStatus
        let answer =
            call.decision.isCancelled
            ? core.cancelled(checked)
            : try await core.answer(checked, by: person, call.decision.consent(of: person))
        return .uncachedJSON(.object(answer.fields.map { ($0.name, .string($0.value)) }))
    }

    /// Fills in what a test leaves out, as our own sign-in page would send it, to the first address registered.
    private func withDefaults(_ parameters: AuthorizationParameters) -> AuthorizationParameters {
        var parameters = parameters
        if parameters.redirectURI == nil, let id = parameters.clientID {
            parameters.redirectURI = core.registry.clients[ClientID(id)]?.returnURLs.first
        }
        if parameters.responseType == nil { parameters.responseType = ResponseType.codeIDToken.rawValue }
        if parameters.responseMode == nil { parameters.responseMode = ResponseMode.formPost.rawValue }
        return parameters
    }
}

/// The body of `POST /emulator/authorizations`: a request and the person's decision in one, the sheet without a
/// browser.
struct AuthorizationControlRequest: Sendable {
    let person: String
    let parameters: AuthorizationParameters
    let isNative: Bool
    let decision: PersonDecision
    /// The real-user status, for devices only, where it is `likelyReal` unless told otherwise.
    let realUserStatus: RealUserStatus?

    init(_ bytes: [UInt8]) throws(Refusal) {
        var members = try Members(bytes)
        person = try members.required("person")
        isNative = try members.bool("native") ?? false
        var parameters = AuthorizationParameters()
        parameters.clientID = try members.string("clientID")
        parameters.redirectURI = try members.string("redirectURI")
        parameters.responseType = try members.string("responseType")
        parameters.responseMode = try members.string("responseMode")
        parameters.scope = try members.string("scope")
        parameters.state = try members.string("state")
        parameters.nonce = try members.string("nonce")
        parameters.codeChallenge = try members.string("codeChallenge")
        if parameters.codeChallenge != nil { parameters.codeChallengeMethod = "S256" }
        self.parameters = parameters
        realUserStatus = try members.realUserStatus()
        guard realUserStatus == nil || isNative else { throw Members.refused("realUserStatus", "is for devices only") }
        decision = try PersonDecision(&members, names: ("name", "firstName", "lastName"))
        try members.checkAllWereRead()
    }
}

/// The person's decision about the sheet in a control call, for the web and for devices alike.
struct PersonDecision: Sendable {
    let isCancelled: Bool
    private let firstName: String?
    private let lastName: String?
    private let hidesEmail: Bool?
    /// One of the person's addresses; their first unless told otherwise.
    private let sharedEmail: String?

    /// Takes `decision`, `hideEmail`, `email` and the name.
    /// - Parameter names: the names of the member with the person's name and of its two parts. Apple spells them
    ///   differently on devices.
    init(
        _ members: inout Members, names: (whole: String, first: String, last: String)
    ) throws(Refusal) {
        switch try members.string("decision") {
        case nil, "continue": isCancelled = false
        case "cancel": isCancelled = true
        default: throw Members.refused("decision", "must be \"continue\" or \"cancel\"")
        }
        hidesEmail = try members.bool("hideEmail")
        sharedEmail = try members.string("email")
        guard hidesEmail != true || sharedEmail == nil else {
            throw Members.refused("email", "is for an address that is not hidden")
        }
        if let value = members.value(names.whole) {
            var name = try Members(value, path: "\(names.whole).")
            firstName = try name.string(names.first)
            lastName = try name.string(names.last)
            try name.checkAllWereRead()
        } else {
            firstName = nil
            lastName = nil
        }
    }

    /// The person's consent. The sheet's proposals fill in what the call leaves out.
    func consent(of person: Portal.Person) -> Consent {
        var consent = Consent(proposedFor: person)
        consent.firstName = firstName ?? consent.firstName
        consent.lastName = lastName ?? consent.lastName
        consent.hidesEmail = hidesEmail ?? consent.hidesEmail
        consent.sharedEmail = sharedEmail
        return consent
    }
}
