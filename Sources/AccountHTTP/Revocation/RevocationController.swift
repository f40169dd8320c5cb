import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Ending Apple's authorization without ending the account.
struct RevocationController: Sendable {
    let revocations: Revocations
    let body: JSONBody
    let callers: CallerReader
    let appName: String

    @Sendable func revoke(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(AppleRevocationRequest.self, from: request)
        let work = try await revocations.revoke(
            RevocationRequest(
                authorizationCode: input.authorizationCode.map { AuthorizationCode($0) }, nonce: input.nonce,
                clientID: input.clientID.map { ClientID($0) }), in: context.session,
            from: callers.caller(of: request, context))
        return try Response(
            status: .accepted,
            json: AppleRevocationAnswer(manualRemoval: work.needsManualRemoval ? .ofApp(appName) : nil))
    }
}
