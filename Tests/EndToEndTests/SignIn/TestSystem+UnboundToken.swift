import AccountService
import AppleID
import AppleIDTypes
import TaskSignals
import Testing

extension TestSystem {
    /// An identity token that names no code, as older devices' do.
    func tokenOfAnotherCode(nonce: String) async throws -> String {
        let seen = Seen()
        let domain = try await domain(
            over: ChangedAnswers(inner: apple) { answer in
                seen.token.withLock { $0 = answer["id_token"] as? String }
                answer["id_token"] = "no token"
            })
        let code = try await device(nonce: nonce).authorizationCode
        await #expect(throws: AppleIDError(.malformedToken, "")) {
            try await domain.signIn.native(
                NativeSignIn(identityToken: nil, authorizationCode: code, nonce: nonce, clientID: TestSystem.juice))
        }
        return try #require(seen.token.withLock { $0 })
    }
}

private final class Seen: Sendable {
    let token = Lock<String?>(nil)
}
