import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Looking for an existing credential", .timeLimit(.minutes(2)))
struct SilentTests {
    /// The ways to ask for it.
    enum Way: CaseIterable, CustomTestStringConvertible {
        case passwordBeside, option, refresh

        var testDescription: String { "\(self)" }

        var requests: [ASAuthorizationRequest] {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.state = "mine"
            if self == .refresh { request.requestedOperation = .operationRefresh }
            if self == .passwordBeside { return [request, ASAuthorizationPasswordProvider().createRequest()] }
            return [request]
        }

        var options: ASAuthorizationController.RequestOptions {
            self == .option ? .preferImmediatelyAvailableCredentials : []
        }
    }

    @Test("finds the person who signed in before, without asking", arguments: Way.allCases)
    func found(_ way: Way) async throws {
        let script = AuthorizationScript(
            .failure(.failed, reason: .refused),
            existing: .appleID(ASAuthorizationAppleIDCredential(user: "001999.ada", identityToken: Data("t".utf8))))
        let delegate = await perform(way.requests, options: way.options, with: script)
        let credential = try #require(delegate.appleIDCredential)
        #expect(credential.user == "001999.ada")
        #expect(credential.email == nil)
        #expect(credential.fullName == nil)
        #expect(credential.state == "mine")
        let seen = try #require(script.requests.first)
        #expect(seen.isSilent)
        #expect(seen.includesAppleID)
        #expect(seen.includesPassword == (way == .passwordBeside))
    }

    @Test("ends with canceled and a reason when there is nobody", arguments: Way.allCases)
    func notFound(_ way: Way) async {
        let script = AuthorizationScript(.success(ada))
        let delegate = await perform(way.requests, options: way.options, with: script)
        #expect(delegate.error?.code == .canceled)
        #expect(delegate.error?.reason == .noStoredCredential)
        #expect(delegate.anchorsAsked == 0)
    }

    @Test("finds a saved password if one was requested")
    func password() async throws {
        let provider = ASAuthorizationPasswordProvider()
        let script = AuthorizationScript(existing: .password(ASPasswordCredential(user: "ada", password: "engine")))
        let delegate = await perform(
            [ASAuthorizationAppleIDProvider().createRequest(), provider.createRequest()], with: script)
        let authorization = try #require(delegate.authorizations.first)
        let credential = try #require(authorization.credential as? ASPasswordCredential)
        #expect(credential.user == "ada")
        #expect(credential.password == "engine")
        #expect(authorization.provider === provider)
        #expect(delegate.outcomes.count == 1)
    }

    @Test("works for a password request alone")
    func passwordAlone() async {
        let script = AuthorizationScript(existing: .password(ASPasswordCredential(user: "ada", password: "engine")))
        let delegate = await perform([ASAuthorizationPasswordProvider().createRequest()], with: script)
        #expect(delegate.authorizations.first?.credential is ASPasswordCredential)
        #expect(script.requests.map(\.includesAppleID) == [false])
    }

    @Test("refuses a credential of another user than the request's")
    func otherUser() async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.user = "001999.grace"
        let delegate = await perform(
            [request], options: .preferImmediatelyAvailableCredentials,
            with: AuthorizationScript(existing: .appleID(ada)))
        #expect(delegate.error?.code == .failed)
        #expect(delegate.error?.reason == .otherUser)
    }
}
