import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Requests that only Apple's systems perform", .timeLimit(.minutes(2)))
struct SkippedRequestsTests {
    private static var appleID: ASAuthorizationRequest { ASAuthorizationAppleIDProvider().createRequest() }
    private static var password: ASAuthorizationRequest { ASAuthorizationPasswordProvider().createRequest() }

    private static var newAccount: ASAuthorizationRequest {
        ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.email], shouldRequestName: true, relyingPartyIdentifier: "example.com",
            challenge: Data([1]), userID: Data([2]))
    }

    /// One request of each kind but the new account's.
    nonisolated enum Kind: CaseIterable {
        case passkeyAssertion, passkeyRegistration, securityKeyAssertion, securityKeyRegistration, singleSignOn

        var request: ASAuthorizationRequest {
            let platform = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
            let key = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
            switch self {
            case .passkeyAssertion:
                return platform.createCredentialAssertionRequest(challenge: Data([1]))
            case .passkeyRegistration:
                return platform.createCredentialRegistrationRequest(
                    challenge: Data([1]), name: "ada", userID: Data([2]))
            case .securityKeyAssertion:
                return key.createCredentialAssertionRequest(challenge: Data([1]))
            case .securityKeyRegistration:
                return key.createCredentialRegistrationRequest(
                    challenge: Data([1]), displayName: "Ada", name: "ada", userID: Data([2]))
            case .singleSignOn:
                return ASAuthorizationSingleSignOnProvider(identityProvider: URL(filePath: "/")).createRequest()
            }
        }
    }

    @Test("end with notHandled, without asking anybody", arguments: Kind.allCases)
    func notHandled(kind: Kind) async {
        let script = AuthorizationScript(.success(ada), existing: .appleID(ada))
        for options: ASAuthorizationController.RequestOptions in [[], .preferImmediatelyAvailableCredentials] {
            let delegate = await perform([kind.request], options: options, with: script)
            #expect(delegate.error?.code == .notHandled)
            #expect(delegate.error?.reason == .unsupportedRequest)
            #expect(delegate.anchorsAsked == 0)
        }
        #expect(script.requests.isEmpty)
    }

    @Test("end with preferSignInWithApple for a new account, also among passkeys")
    func newAccount() async {
        let script = AuthorizationScript(.success(ada))
        for requests in [[Self.newAccount], [Kind.passkeyAssertion.request, Self.newAccount]] {
            let delegate = await perform(requests, with: script)
            #expect(delegate.error?.code == .preferSignInWithApple)
            #expect(delegate.error?.errorCode == 1009)
            #expect(delegate.error?.reason == .unsupportedRequest)
        }
        #expect(script.requests.isEmpty)
    }

    @Test("are skipped beside a request for Sign in with Apple", arguments: Kind.allCases)
    func skippedBesideAppleID(kind: Kind) async {
        for requests in [[kind.request, Self.appleID], [Self.appleID, kind.request, Self.newAccount]] {
            let script = AuthorizationScript(.success(ada))
            let delegate = await perform(requests, with: script)
            #expect(delegate.appleIDCredential?.user == "001999.ada")
            #expect(script.requests.map(\.isSilent) == [false])
        }
    }

    @Test("are skipped beside a request for a saved password")
    func skippedBesidePassword() async {
        let script = AuthorizationScript(existing: .password(ASPasswordCredential(user: "ada", password: "engine")))
        let delegate = await perform(
            [Kind.passkeyAssertion.request, Self.password, Self.appleID], with: script)
        #expect((delegate.authorizations.first?.credential as? ASPasswordCredential)?.user == "ada")
        #expect(script.requests.map(\.isSilent) == [true])
        #expect(script.requests.first?.includesAppleID == true)
    }

    @Test("end with notHandled when they fill a field")
    func autoFill() async {
        let script = AuthorizationScript(.success(ada), existing: .appleID(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [Kind.passkeyAssertion.request, Self.password])
            controller.delegate = delegate
            controller.performAutoFillAssistedRequests()
            await script.allAnswered()
        }
        #expect(delegate.error?.code == .notHandled)
        #expect(delegate.error?.reason == .unsupportedRequest)
        #expect(script.requests.isEmpty)
    }

    @Test("don't change the error of a controller without requests")
    func empty() async {
        let script = AuthorizationScript(.success(ada))
        #expect(await perform([], with: script).error?.reason == .noRequest)
    }

    @Test("say in a sentence what the app should do")
    func sentences() async throws {
        let delegate = await perform([Self.newAccount], with: AuthorizationScript(.success(ada)))
        let error = try #require(delegate.error) as NSError
        #expect(error.localizedDescription == "Sign in with Apple is preferred.")
        #expect(error.localizedFailureReason == "Only Apple's systems can do this.")
    }
}
