import AppleIDEmulator
import AppleIDTesting
import AuthenticationServices
import AuthenticationServicesTesting

extension AuthorizationScript.Answer {
    /// Johnny signs in on a device: token and code are the emulator's, with the request's nonce and state.
    /// - Parameter nonce: in place of the request's.
    static func johnny(at emulator: Emulator, nonce: String? = nil, hidesEmail: Bool = false) -> Self {
        person("johnny", at: emulator, nonce: nonce, hidesEmail: hidesEmail)
    }

    /// One of the emulator's people signs in on a device.
    static func person(
        _ person: String, at emulator: Emulator, nonce: String? = nil, hidesEmail: Bool = false
    ) -> Self {
        Self { request throws(ASAuthorizationError) in
            do {
                let answer = try await emulator.authorize(
                    person: person, client: Backend.app,
                    scopes: request.requestedScopes.isEmpty ? [] : [.name, .email], state: request.state,
                    nonce: nonce ?? request.nonce, hidesEmail: hidesEmail, native: true)
                let token = answer.identityToken ?? ""
                let told = answer.user.flatMap { try? JSONDecoder().decode(Told.self, from: Data($0.utf8)) }
                return ASAuthorizationAppleIDCredential(
                    user: IdentityTokenText(token).subject, email: told?.email,
                    fullName: told?.name.map {
                        PersonNameComponents(givenName: $0.firstName, familyName: $0.lastName)
                    },
                    identityToken: Data(token.utf8), authorizationCode: answer.code.map { Data($0.rawValue.utf8) },
                    state: answer.state)
            } catch {
                throw ASAuthorizationError(.failed, userInfo: [NSUnderlyingErrorKey: error])
            }
        }
    }

    /// The values that Apple tells once, beside token and code.
    private struct Told: Decodable {
        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }

        let name: Name?
        let email: String?
    }
}
