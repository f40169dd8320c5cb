import AuthenticationServices

// A login page of today, as an app for iOS 26 has it: a new account with a passkey, a sign-in with whatever the person has,
// and Sign in with Apple. The same file is compiled in both language modes.

/// Performs what a login page asks for, and says how it ended.
final class LoginPage: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private let domain = "example.com"
    private let anchor: ASPresentationAnchor
    private let finished: (String) -> Void
    private var isAutoFilling = false

    init(anchor: ASPresentationAnchor, finished: @escaping (String) -> Void) {
        self.anchor = anchor
        self.finished = finished
    }

    func createAccount(challenge: Data, userID: Data) {
        let provider = ASAuthorizationAccountCreationProvider()
        let request = provider.createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.email, .phoneNumber],
            shouldRequestName: true,
            relyingPartyIdentifier: domain,
            challenge: challenge,
            userID: userID
        )
        perform([request])
    }

    func signIn(challenge: Data, known: [Data], preferImmediatelyAvailableCredentials: Bool) {
        let passkeys = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
        let assertion = passkeys.createCredentialAssertionRequest(challenge: challenge)
        assertion.allowedCredentials = known.map {
            ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
        }
        assertion.userVerificationPreference = .required

        let securityKeys = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
        let key = securityKeys.createCredentialAssertionRequest(challenge: challenge)
        for id in known {
            key.allowedCredentials.append(
                ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
                    credentialID: id,
                    transports: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport.allSupported
                )
            )
        }

        let password = ASAuthorizationPasswordProvider().createRequest()
        let apple = ASAuthorizationAppleIDProvider().createRequest()
        apple.requestedScopes = [.fullName, .email]

        let controller = ASAuthorizationController(authorizationRequests: [assertion, key, password, apple])
        controller.delegate = self
        controller.presentationContextProvider = self
        if preferImmediatelyAvailableCredentials {
            controller.performRequests(options: .preferImmediatelyAvailableCredentials)
        } else {
            controller.performRequests()
        }
    }

    func beginAutoFill(challenge: Data) {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
        let controller = ASAuthorizationController(
            authorizationRequests: [provider.createCredentialAssertionRequest(challenge: challenge)])
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performAutoFillAssistedRequests()
        isAutoFilling = true
    }

    func upgradeToPasskey(challenge: Data, name: String, userID: Data, existing: [Data]) {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
        let request = provider.createCredentialRegistrationRequest(
            challenge: challenge, name: name, userID: userID, requestStyle: .conditional)
        request.excludedCredentials = existing.map(ASAuthorizationPlatformPublicKeyCredentialDescriptor.init)
        perform([request])
    }

    func registerSecurityKey(challenge: Data, name: String, userID: Data) {
        let provider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: domain)
        let request = provider.createCredentialRegistrationRequest(
            challenge: challenge, displayName: name, name: name, userID: userID)
        request.credentialParameters = [ASAuthorizationPublicKeyCredentialParameters(algorithm: .ES256)]
        request.attestationPreference = .direct
        request.residentKeyPreference = .preferred
        perform([request])
    }

    func signInAtWork(identityProvider: URL) {
        let provider = ASAuthorizationSingleSignOnProvider(identityProvider: identityProvider)
        guard provider.canPerformAuthorization else {
            finished("no single sign-on")
            return
        }
        let request = provider.createRequest()
        request.requestedOperation = .operationLogin
        request.authorizationOptions = [URLQueryItem(name: "tenant", value: "example")]
        request.isUserInterfaceEnabled = true
        perform([request])
    }

    private func perform(_ requests: [ASAuthorizationRequest]) {
        let controller = ASAuthorizationController(authorizationRequests: requests)
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performRequests()
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchor
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let account as ASAuthorizationAccountCreationPlatformPublicKeyCredential:
            let contact: String
            switch account.contactIdentifier {
            case .email(let email): contact = email.value
            case .phoneNumber(let number): contact = number.value
            @unknown default: contact = "unknown"
            }
            let passkey: ASAuthorizationPlatformPublicKeyCredentialRegistration = account.credentialRegistration
            finished(
                "account of \(contact), \(account.name?.givenName ?? "nobody"), \(passkey.credentialID.count) bytes")
        case let registration as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            finished(
                "new passkey \(registration.rawAttestationObject?.count ?? 0), \(registration.attachment == .platform)")
        case let assertion as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            let signature = assertion.signature
            let userID = assertion.userID
            finished("passkey of \(userID?.count ?? 0), signed \(signature?.count ?? 0)")
        case let registration as ASAuthorizationSecurityKeyPublicKeyCredentialRegistration:
            finished("new security key \(registration.transports.map(\.rawValue))")
        case let assertion as ASAuthorizationSecurityKeyPublicKeyCredentialAssertion:
            finished("security key \(assertion.rawClientDataJSON.count)")
        case let work as ASAuthorizationSingleSignOnCredential:
            finished("work \(work.identityToken?.count ?? 0)")
        case let password as ASPasswordCredential:
            finished("password of \(password.user)")
        case let apple as ASAuthorizationAppleIDCredential:
            finished("Apple \(apple.user)")
        default:
            finished("unknown credential")
        }
        isAutoFilling = false
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        guard let error = error as? ASAuthorizationError else {
            finished("\(error)")
            return
        }
        switch error.code {
        case .canceled: finished("canceled")
        case .preferSignInWithApple: finished("prefer Sign in with Apple")
        case .deviceNotConfiguredForPasskeyCreation: finished("show a form")
        case .matchedExcludedCredential: finished("has a passkey already")
        case .notHandled: finished(isAutoFilling ? "no AutoFill" : "not handled")
        default: finished("failed \(error.errorCode)")
        }
        isAutoFilling = false
    }
}

/// The login page for SwiftUI. SwiftUI hands the page an `AuthorizationController`.
@MainActor
func signIn(with authorizationController: AuthorizationController, challenge: Data) async -> String {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
    do {
        let result = try await authorizationController.performRequests(
            [
                provider.createCredentialAssertionRequest(challenge: challenge),
                ASAuthorizationAppleIDProvider().createRequest(),
            ],
            options: .preferImmediatelyAvailableCredentials)
        switch result {
        case .passkeyAssertion(let assertion): return "passkey \(assertion.credentialID.count)"
        case .passkeyRegistration, .passkeyAccountCreation: return "new passkey"
        case .securityKeyAssertion, .securityKeyRegistration: return "security key"
        case .password(let password): return "password of \(password.user)"
        case .appleID(let apple): return "Apple \(apple.user)"
        @unknown default: return "unknown"
        }
    } catch let error as ASAuthorizationError where error.code == .canceled {
        return "canceled"
    } catch {
        return "failed \((error as? ASAuthorizationError)?.errorCode ?? 0)"
    }
}

/// After the account's settings have changed: tells the password managers.
func reportChanges(userID: Data, newName: String) async -> String {
    do {
        try await ASCredentialUpdater().reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: "example.com", userHandle: userID, newName: newName)
        return "reported"
    } catch {
        return "not reported"
    }
}

/// A button of an app's own settings.
func openSettings(finished: @escaping @Sendable (String) -> Void) {
    ASSettingsHelper.openVerificationCodeAppSettings()
    ASSettingsHelper.openCredentialProviderAppSettings { error in
        finished(error == nil ? "opened" : "not opened")
    }
}

func openSettings() async -> String {
    do {
        try await ASSettingsHelper.openCredentialProviderAppSettings()
        return "opened"
    } catch {
        return "not opened"
    }
}

/// Each use of the page, by its name in the output.
@MainActor
let loginPageUses: [(name: String, use: @MainActor (LoginPage) -> Void)] = [
    ("new account", { $0.createAccount(challenge: Data([1]), userID: Data([2])) }),
    (
        "passkey after a password",
        { $0.upgradeToPasskey(challenge: Data([1]), name: "j", userID: Data([2]), existing: []) }
    ),
    ("new security key", { $0.registerSecurityKey(challenge: Data([1]), name: "j", userID: Data([2])) }),
    ("AutoFill", { $0.beginAutoFill(challenge: Data([1])) }),
    ("at work", { $0.signInAtWork(identityProvider: URL(string: "https://id.example.com")!) }),
    (
        "whatever there is",
        { $0.signIn(challenge: Data([1]), known: [Data([3])], preferImmediatelyAvailableCredentials: true) }
    ),
]
