import AccountAPI
import AccountService
import Hummingbird

/// Nonces that this server will accept once.
struct ChallengeController: Sendable {
    let challenges: Challenges
    let body: JSONBody

    @Sendable func make(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(ChallengeRequest.self, from: request)
        let purpose = Challenge.Purpose(rawValue: (input.purpose ?? .signIn).rawValue)
        guard Challenge.Purpose.all.contains(purpose) else {
            throw HTTPFailure.invalidRequest("purpose", "is no purpose that this service knows")
        }
        // A person who signs in has no session yet. All else is done in a session, and its challenge is good in that
        // session only.
        let session = purpose == .signIn ? nil : try SessionContext(context: context).session.session.id
        let challenge = try challenges.make(for: purpose, session: session)
        return try Response(
            json: ChallengeAnswer(
                nonce: challenge.nonce, expiresAt: APITime(challenge.expiresAt)))
    }
}
