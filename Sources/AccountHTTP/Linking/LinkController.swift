import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Lists, adds and removes the ways in to the caller's account.
struct LinkController: Sendable {
    let links: Links
    let body: JSONBody
    let callers: CallerReader
    let responses: AccountResponses
    let appName: String

    @Sendable func list(_ request: Request, _ context: SessionContext) async throws -> Response {
        let session = context.session.session
        return try Response(json: LinkListAnswer(try await links.list(in: session), current: session.identityID))
    }

    @Sendable func linkApple(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(AppleLinkRequest.self, from: request)
        let linked = try await links.linkApple(
            in: context.session, with: NativeSignIn(input),
            consent: input.consent.map(ConsentGiven.init),
            from: callers.caller(of: request, context))
        return try Response(json: LinkListAnswer(linked, current: context.session.session.identityID))
    }

    /// Signs in to the account of an Apple Account that could not be linked.
    @Sendable func signIn(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(HandleSignInRequest.self, from: request)
        guard let handle = ConflictHandle(rawValue: input.handle) else {
            throw HTTPFailure(.handleInvalid, "This is no handle.")
        }
        let done = try await links.signIn(
            with: handle, in: context.session,
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }

    @Sendable func remove(_ request: Request, _ context: SessionContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ IdentityID(receivedText: $0) }) else {
            throw HTTPFailure(.identityUnknown, "This is no id of an identity.")
        }
        let done = try await links.remove(id, in: context.session, from: callers.caller(of: request, context))
        let left = LinkListAnswer(done.identities, current: context.session.session.identityID)
        return try Response(
            json: UnlinkAnswer(
                links: left.links, endsSession: done.endsSession,
                manualRemoval: done.needsManualRemoval ? .ofApp(appName) : nil))
    }
}

/// Adds an address and a password to the caller's account.
struct PasswordLinkController: Sendable {
    let feature: PasswordFeature
    let body: JSONBody
    let callers: CallerReader

    /// Sends the address a link, which the session of the call alone can use.
    @Sendable func request(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordLinkRequest.self, from: request)
        try await feature.passwords.requestLink(
            in: context.session, email: input.email, password: Password(input.password),
            consent: input.consent.map(ConsentGiven.init),
            from: callers.caller(of: request, context))
        return try Response(status: .accepted, json: AcceptedAnswer())
    }

    @Sendable func finish(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordLinkFinishRequest.self, from: request)
        let linked = try await feature.passwords.finishLink(
            try LinkSecret(received: input.link), in: context.session, from: callers.caller(of: request, context))
        return try Response(json: LinkListAnswer(linked, current: context.session.session.identityID))
    }
}

extension LinkListAnswer {
    /// - Parameter current: the identity that opened the session of the call.
    init(_ identities: [LinkedIdentity], current: IdentityID) {
        self.init(links: identities.map { LinkBody($0, current: current) })
    }
}

extension LinkBody {
    /// - Parameter current: the identity that opened the session of the call; nil for an identity of another account.
    init(_ identity: LinkedIdentity, current: IdentityID? = nil) {
        self.init(
            id: identity.id.rawValue, provider: identity.provider, team: identity.team?.rawValue,
            address: identity.address, isPrivateEmail: identity.isPrivateEmail, hasPassword: identity.hasPassword,
            addedAt: APITime(identity.addedAt), lastSignInAt: APITime(identity.lastSignInAt),
            current: identity.id == current)
    }
}
