import AccountAPI
import AccountService
import AppleIDTypes
import Hummingbird

/// Whether a person still uses the app with their Apple Account.
struct CredentialStateController: Sendable {
    let states: CredentialStates

    @Sendable func show(_ request: Request, _ context: EndedSessionContext) async throws -> Response {
        let standing = try await states.standing(of: try Self.subject(in: request), for: context.session)
        return try Response(
            json: CredentialStateAnswer(
                credentialState: standing.state.rawValue, transferSubjectHash: standing.transferSubjectHash))
    }

    private static func subject(in request: Request) throws -> Subject? {
        guard let user = try FormFields(queryOf: request, for: "user")["user"] else { return nil }
        guard (1...255).contains(user.utf8.count) else {
            throw HTTPFailure.invalidRequest("user", "has 1 to 255 bytes")
        }
        return Subject(user)
    }
}
