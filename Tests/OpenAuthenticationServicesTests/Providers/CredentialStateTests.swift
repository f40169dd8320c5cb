import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@Suite("Asking how a user stands with the app", .timeLimit(.minutes(2)))
struct CredentialStateTests {
    typealias State = ASAuthorizationAppleIDProvider.CredentialState

    @Test("gives the state", arguments: [State.revoked, .authorized, .notFound, .transferred])
    func state(_ state: State) async throws {
        try await withAuthorizationScript(AuthorizationScript(states: ["001999.ada": state])) {
            let provider = ASAuthorizationAppleIDProvider()
            let found = try await provider.credentialState(forUserID: "001999.ada")
            #expect(found == state)
            let answer = await completion(for: "001999.ada", from: provider)
            #expect(answer.state == state)
            #expect(answer.error == nil)
        }
    }

    @Test("finds no empty and no unknown user, without an error", arguments: ["", "001999.grace"])
    func unknown(user: String) async throws {
        let script = AuthorizationScript(states: ["001999.ada": .authorized])
        try await withAuthorizationScript(script) {
            let answer = await completion(for: user)
            #expect(answer.state == .notFound)
            #expect(answer.error == nil)
            let found = try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user)
            #expect(found == .notFound)
        }
    }

    @Test("finds no empty user even where a script has one")
    func empty() async {
        await withAuthorizationScript(AuthorizationScript(states: ["": .authorized])) {
            #expect(await completion(for: "").state == .notFound)
        }
    }

    @Test(
        "gives the last known state with the error that stands in the way", arguments: [State.authorized, .transferred])
    func lastKnown(_ state: State) async throws {
        let script = AuthorizationScript(states: ["001999.ada": state])
        script.setStateError(URLError(.notConnectedToInternet))
        try await withAuthorizationScript(script) {
            let answer = await completion(for: "001999.ada")
            #expect(answer.state == state)
            #expect((answer.error as? URLError)?.code == .notConnectedToInternet)
            let found = try await ASAuthorizationAppleIDProvider().credentialState(forUserID: "001999.ada")
            #expect(found == state)
        }
    }

    @Test("fails when nothing is known and nobody can be asked, and never says revoked")
    func nothingKnown() async throws {
        let script = AuthorizationScript()
        script.setStateError(URLError(.notConnectedToInternet))
        await withAuthorizationScript(script) {
            let answer = await completion(for: "001999.ada")
            #expect(answer.state == .notFound)
            #expect((answer.error as? URLError)?.code == .notConnectedToInternet)
            await #expect(throws: URLError(.notConnectedToInternet)) {
                try await ASAuthorizationAppleIDProvider().credentialState(forUserID: "001999.ada")
            }
        }
    }

    @Test("prints as its bare name", arguments: [(State.revoked, "revoked"), (.notFound, "notFound")])
    func printed(state: State, name: String) {
        #expect("\(state)" == name)
    }

    @MainActor
    @Test("says revoked by the time the notification is posted")
    func revocation() async throws {
        let script = AuthorizationScript(states: ["001999.ada": .authorized])
        try await withAuthorizationScript(script) {
            let notifications = NotificationCenter.default.notifications(
                named: ASAuthorizationAppleIDProvider.credentialRevokedNotification)
            script.revoke(userID: "001999.ada")
            var iterator = notifications.makeAsyncIterator()
            let notification = try #require(await iterator.next(isolation: #isolation))
            #expect(notification.object == nil)
            let state = try await ASAuthorizationAppleIDProvider().credentialState(forUserID: "001999.ada")
            #expect(state == .revoked)
        }
    }

    private func completion(
        for user: String, from provider: ASAuthorizationAppleIDProvider = ASAuthorizationAppleIDProvider()
    ) async -> (state: State, error: (any Error)?) {
        await withCheckedContinuation { continuation in
            provider.getCredentialState(forUserID: user) { state, error in
                continuation.resume(returning: (state, error))
            }
        }
    }
}
