import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Sign-in by an app, with what Apple gave it.
struct NativeSignInController: Sendable {
    let signIn: SignIn
    let body: JSONBody
    let callers: CallerReader
    let responses: AccountResponses

    @Sendable func finish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(NativeSignInRequest.self, from: request)
        let done = try await signIn.native(
            NativeSignIn(input),
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }
}

// MARK: The requests that bring what Apple gave an app

extension NativeSignIn {
    init(_ request: NativeSignInRequest) {
        self.init(
            token: request.identityToken, code: request.authorizationCode, nonce: request.nonce,
            client: request.clientID, name: request.fullName)
    }

    init(_ request: ReauthenticationRequest) {
        self.init(
            token: request.identityToken, code: request.authorizationCode, nonce: request.nonce,
            client: request.clientID, name: nil)
    }

    init(_ request: AppleLinkRequest) {
        self.init(
            token: request.identityToken, code: request.authorizationCode, nonce: request.nonce,
            client: request.clientID, name: request.fullName)
    }

    init(_ request: AccountUpgradeRequest) {
        self.init(
            token: request.identityToken, code: request.authorizationCode, nonce: request.nonce,
            client: request.clientID, name: request.fullName)
    }

    /// The fields that these requests have alike.
    private init(token: String?, code: String?, nonce: String?, client: String?, name: FullName?) {
        self.init(
            identityToken: token, authorizationCode: code.map { AuthorizationCode($0) }, nonce: nonce,
            clientID: client.map { ClientID($0) }, name: name.flatMap { PersonName($0) })
    }
}

extension PersonName {
    init?(_ name: FullName) {
        self.init(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname)
    }
}
