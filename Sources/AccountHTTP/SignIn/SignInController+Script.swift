import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

extension SignInController {
    /// For the sign-in page's own script; another site's page is turned away before.
    func addScriptRoutes(to site: some RouterMethods<ServiceContext>) {
        site.post("sign-in/apple", use: beginByScript)
    }

    /// What the page hands to Apple's script.
    private struct Answer: Encodable {
        let clientID: String
        let redirectURI: String
        let scope: String
        let state: String
        let nonce: String?
    }

    /// Begins an attempt like the link, and tells the page what to ask Apple for, in place of sending the browser
    /// there.
    ///
    /// The attempt is bound to this browser by the same cookie, and ends at the same callback by the same rules.
    @Sendable private func beginByScript(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let beginning = try await begin(request, context)
        let asked = beginning.request
        return try Response(
            headers: [.setCookie: beginning.cookie],
            json: Answer(
                clientID: asked.client.rawValue, redirectURI: asked.redirectURI,
                scope: asked.scopes.map(\.rawValue).joined(separator: " "), state: asked.state, nonce: asked.nonce))
    }
}
