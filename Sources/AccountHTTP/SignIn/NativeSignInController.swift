import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Sign-in by an app, with what Apple gave it.
struct NativeSignInController: Sendable {
    let signIn: SignIn
    let body: JSONBody
    let clients: ClientAddress
    let responses: AccountResponses

    @Sendable func finish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(NativeSignInRequest.self, from: request)
        let done = try await signIn.native(
            NativeSignIn(input),
            from: clients.caller(
                of: request, context, device: input.deviceName.flatMap { DeviceName(cleaning: $0) }))
        return Response(json: try await responses.answer(to: done))
    }
}

extension NativeSignIn {
    fileprivate init(_ request: NativeSignInRequest) {
        self.init(
            identityToken: request.identityToken,
            authorizationCode: request.authorizationCode.map { AuthorizationCode($0) },
            nonce: request.nonce,
            clientID: request.clientID.map { ClientID($0) },
            name: request.fullName.flatMap { PersonName($0) }
        )
    }
}

extension PersonName {
    init?(_ name: FullName) {
        self.init(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname)
    }
}
