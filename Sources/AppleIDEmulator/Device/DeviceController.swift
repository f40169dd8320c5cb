import AppleIDTypes
import HTTPTypes
import Hummingbird

/// `/emulator/device`: what Apple's framework tells an app on a device, for tests of native clients.
struct DeviceController: Sendable {
    let authority: Authority

    /// `POST /emulator/device/authorizations`
    @Sendable func authorize(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        let order = try DeviceOrder(await request.boundedBody())
        return .uncachedJSON(try await authority.authorize(order).json)
    }

    /// `POST /emulator/device/credential-state` with `clientID` and `user`, and if wanted `person` or `noAccount`.
    @Sendable func credentialState(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        var body = try Members(await request.boundedBody())
        let client = try body.required("clientID")
        let user = Subject(try body.required("user"))
        let account = try DeviceAccount(
            person: try body.string("person"), isMissing: try body.bool("noAccount") ?? false)
        try body.checkNothingIsLeft()
        let state = try authority.credentialState(of: user, clientID: client, on: account)
        return .uncachedJSON(
            .object([("credentialState", .string("\(state)")), ("rawValue", .integer(state.rawValue))]))
    }
}
