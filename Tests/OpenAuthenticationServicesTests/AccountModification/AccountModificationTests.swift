import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Modifications of an account", .timeLimit(.minutes(1)))
struct AccountModificationTests {
    private let service = ASCredentialServiceIdentifier(identifier: "accounts.example.com", type: .domain)

    private var replacement: ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest {
        .init(user: "ada@example.com", serviceIdentifier: service, userInfo: ["why": "asked"])
    }

    @Test("A password is replaced, and the delegate gets the request back")
    func success() async {
        let script = AuthorizationScript()
        script.passwordReplacement = .success
        let request = replacement
        let delegate = await perform(request, with: script)
        #expect(delegate.completed.map(ObjectIdentifier.init) == [ObjectIdentifier(request)])
        #expect(delegate.errors.isEmpty)
        #expect(delegate.anchorsAsked == 1)
        #expect(script.replacedUsers == ["ada@example.com"])
        #expect(request.userInfo?["why"] as? String == "asked")
        #expect(request.serviceIdentifier.identifier == "accounts.example.com")
        #expect(request.serviceIdentifier.type == .domain)
    }

    @Test("A failure reaches the delegate once, with its reason")
    func failure() async {
        let script = AuthorizationScript()
        script.passwordReplacement = .failure(ASAuthorizationError(.canceled))
        let delegate = await perform(replacement, with: script)
        #expect(delegate.errors.map(\.code) == [.canceled])
        #expect(delegate.completed.isEmpty)
    }

    @Test("A request without an answer in the script ends with notHandled")
    func unscripted() async {
        #expect(await perform(replacement, with: AuthorizationScript()).errors.map(\.code) == [.notHandled])
    }

    @Test("A request for a strong password, which only Apple's systems make, fails without asking for a window")
    func strongPassword() async {
        let script = AuthorizationScript()
        script.passwordReplacement = .success
        let delegate = await perform(
            ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest(
                user: "ada@example.com", serviceIdentifier: service, userInfo: nil), with: script)
        #expect(delegate.errors.map(\.code) == [.notHandled])
        #expect(delegate.errors.first?.reason == .unsupportedRequest)
        #expect(delegate.anchorsAsked == 0)
        #expect(script.replacedUsers.isEmpty)
    }

    @Test("A controller performs one request at a time, and another afterwards")
    func oneAtATime() async {
        let script = AuthorizationScript()
        script.passwordReplacement = .success
        let delegate = Recorder()
        await withAuthorizationScript(script) {
            let controller = ASAccountAuthenticationModificationController()
            controller.delegate = delegate
            // Both are begun before the main actor, on which the first goes on, is free.
            controller.perform(replacement)
            controller.perform(replacement)
            await script.allAnswered()
            #expect(delegate.completed.count == 1)
            #expect(delegate.errors.map(\.reason) == [.alreadyPerforming])
            controller.perform(replacement)
            await script.allAnswered()
        }
        #expect(delegate.completed.count == 2)
    }

    @Test("A controller finishes its request without its delegate")
    func lifetime() async {
        let script = AuthorizationScript()
        script.passwordReplacement = .success
        await withAuthorizationScript(script) {
            ASAccountAuthenticationModificationController().perform(replacement)
            await script.allAnswered()
        }
        #expect(script.replacedUsers.count == 1)
    }

    @Test("A service's name is restored from an archive", arguments: [0, 1])
    func archive(number: Int) throws {
        let type = try #require(ASCredentialServiceIdentifier.IdentifierType(rawValue: number))
        #expect(type == (number == 0 ? .domain : .URL))
        let identifier = ASCredentialServiceIdentifier(identifier: "https://example.com", type: type)
        let data = try NSKeyedArchiver.archivedData(withRootObject: identifier, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: ASCredentialServiceIdentifier.self, from: data)
        #expect(back?.identifier == "https://example.com" && back?.type == type)
        #expect(identifier.copy() as? ASCredentialServiceIdentifier === identifier)
    }

    private func perform(
        _ request: ASAccountAuthenticationModificationRequest, with script: AuthorizationScript
    ) async -> Recorder {
        let delegate = Recorder()
        await withAuthorizationScript(script) {
            let controller = ASAccountAuthenticationModificationController()
            controller.delegate = delegate
            controller.presentationContextProvider = delegate
            controller.perform(request)
            await script.allAnswered()
        }
        return delegate
    }

    private final class Recorder: NSObject, ASAccountAuthenticationModificationControllerDelegate,
        ASAccountAuthenticationModificationControllerPresentationContextProviding
    {
        private(set) var completed: [ASAccountAuthenticationModificationRequest] = []
        private(set) var errors: [ASAuthorizationError] = []
        private(set) var anchorsAsked = 0

        func accountAuthenticationModificationController(
            _ controller: ASAccountAuthenticationModificationController,
            didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
            userInfo: [AnyHashable: Any]?
        ) {
            completed.append(request)
        }

        func accountAuthenticationModificationController(
            _ controller: ASAccountAuthenticationModificationController,
            didFail request: ASAccountAuthenticationModificationRequest, error: any Error
        ) {
            if let error = error as? ASAuthorizationError { errors.append(error) }
        }

        func presentationAnchor(for controller: ASAccountAuthenticationModificationController) -> ASPresentationAnchor {
            anchorsAsked += 1
            return ASPresentationAnchor()
        }
    }
}
