import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `POST /emulator/authorizations`: the sheet without a browser, and the device without a device.
///
/// The same rules and the same state as behind the pages. The answer holds the fields that Apple would hand to the
/// client, and a person's Cancel is such a field, not a failure of the call.
struct AuthorizationsController: Sendable {
    let authority: Authority

    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let order = try AuthorizationOrder(await request.boundedBody())
        let person = try authority.person(order.person)
        var checked =
            order.isNative
            ? try authority.rules.checkNative(order.parameters)
            : try authority.rules.check(withDefaults(order.parameters))
        checked.realUserStatus = order.realUserStatus ?? checked.realUserStatus
        let answer =
            order.decision.isCancelled
            ? authority.cancelled(checked)
            : try await authority.answer(checked, by: person, order.decision.consent(of: person))
        return .uncachedJSON(.object(answer.fields.map { ($0.name, .string($0.value)) }))
    }

    /// What a test leaves out is what our own sign-in page would send, to the first address registered.
    private func withDefaults(_ parameters: AuthorizationParameters) -> AuthorizationParameters {
        var parameters = parameters
        if parameters.redirectURI == nil, let id = parameters.clientID {
            parameters.redirectURI = authority.registry.clients[ClientID(id)]?.returnURLs.first
        }
        if parameters.responseType == nil { parameters.responseType = ResponseType.codeIDToken.rawValue }
        if parameters.responseMode == nil { parameters.responseMode = ResponseMode.formPost.rawValue }
        return parameters
    }
}
