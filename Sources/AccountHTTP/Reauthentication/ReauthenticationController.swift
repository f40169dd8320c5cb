import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Proving again who one is, before something that cannot be undone.
struct ReauthenticationController: Sendable {
    let reauthentications: Reauthentications
    let body: JSONBody
    let clients: ClientAddress
    let limits: HTTPLimits

    @Sendable func renew(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(ReauthenticationRequest.self, from: request)
        let renewed = try await reauthentications.reauthenticate(
            context.session, with: NativeSignIn(input), from: clients.caller(of: request, context))
        return try Response(
            json: ReauthenticationAnswer(
                authenticatedAt: APITime(renewed.authenticatedAt),
                accessToken: renewed.accessToken, expiresIn: Int(renewed.expiresIn.components.seconds)))
    }

    /// Sends the browser to Apple. The form says where it returns: a path of this site, in `return`.
    @Sendable func leave(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        guard let path = ReturnPath(rawValue: form["return"] ?? ReturnPath.account.rawValue) else {
            throw HTTPFailure.invalidRequest("return", "is not a path of this site")
        }
        return Response(
            to: try await reauthentications.begin(in: context.session, returnPath: path, browser: request.browserSecret)
        )
    }
}

extension NativeSignIn {
    init(_ request: ReauthenticationRequest) {
        self.init(
            identityToken: request.identityToken,
            authorizationCode: request.authorizationCode.map { AuthorizationCode($0) }, nonce: request.nonce,
            clientID: request.clientID.map { ClientID($0) })
    }
}
