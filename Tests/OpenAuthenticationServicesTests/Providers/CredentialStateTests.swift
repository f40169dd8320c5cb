import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@Suite("The credential state of a user", .timeLimit(.minutes(2)))
struct CredentialStateTests {
    typealias State = ASAuthorizationAppleIDProvider.CredentialState

    @Test(
        "is the script's state, for async code and for a completion handler",
        arguments: [State.revoked, .authorized, .notFound, .transferred])
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

    @Test("is notFound for an empty or unknown user, without an error", arguments: ["", "001999.grace"])
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

    @Test("is notFound for an empty user even if a script has a state for it")
    func empty() async {
        await withAuthorizationScript(AuthorizationScript(states: ["": .authorized])) {
            #expect(await completion(for: "").state == .notFound)
        }
    }

    @Test(
        "is the last known one if it can't be fetched, with the error", arguments: [State.authorized, .transferred])
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

    @Test("is an error if it is unknown and can't be fetched, and never revoked")
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
    @Test("is revoked by the time the notification is posted")
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
