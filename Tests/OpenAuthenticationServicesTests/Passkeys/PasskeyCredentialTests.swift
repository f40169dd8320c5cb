import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Credentials of Apple's systems only, in unit tests")
struct PasskeyCredentialTests {
    /// Handles credentials as an app does.
    private final class LoginDelegate: NSObject, ASAuthorizationControllerDelegate {
        private(set) var heard: [String] = []

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            switch authorization.credential {
            case let assertion as any ASAuthorizationPublicKeyCredentialAssertion:
                heard.append("\(assertion.userID.count) \(assertion.signature.count) \(assertion.credentialID.count)")
            case let registration as any ASAuthorizationPublicKeyCredentialRegistration:
                heard.append("\(registration.rawAttestationObject?.count ?? 0) \(registration.rawClientDataJSON.count)")
            case let account as ASAuthorizationAccountCreationPlatformPublicKeyCredential:
                switch account.contactIdentifier {
                case .email(let email): heard.append(email.value)
                case .phoneNumber(let number): heard.append(number.value)
                }
                heard.append(account.name?.givenName ?? "")
                heard.append("\(account.credentialRegistration.credentialID.count)")
            case let work as ASAuthorizationSingleSignOnCredential:
                heard.append("\(work.identityToken?.count ?? 0) \(work.state ?? "") \(work.authorizedScopes.count)")
            default:
                heard.append("unknown")
            }
        }
    }

    private func heard(_ credential: any ASAuthorizationCredential) -> [String] {
        let delegate = LoginDelegate()
        delegate.authorizationController(
            controller: ASAuthorizationController(authorizationRequests: []),
            didCompleteWithAuthorization: ASAuthorization(
                credential: credential, from: ASAuthorizationAccountCreationProvider()))
        return delegate.heard
    }

    @Test("reach a delegate as the test has made them")
    func delegates() {
        #expect(
            heard(
                ASAuthorizationPlatformPublicKeyCredentialAssertion(
                    userID: Data([1]), credentialID: Data([1, 2, 3]), signature: Data([1, 2]))) == ["1 2 3"])
        #expect(
            heard(
                ASAuthorizationSecurityKeyPublicKeyCredentialAssertion(
                    userID: Data([1]), credentialID: Data([1, 2]), signature: Data([1, 2, 3]))) == ["1 3 2"])
        let registration = ASAuthorizationPlatformPublicKeyCredentialRegistration(
            credentialID: Data([1]), rawAttestationObject: Data([1, 2]), rawClientDataJSON: Data([1, 2, 3]))
        #expect(heard(registration) == ["2 3"])
        #expect(
            heard(ASAuthorizationSecurityKeyPublicKeyCredentialRegistration(credentialID: Data([1]))) == ["0 0"])
        #expect(
            heard(
                ASAuthorizationAccountCreationPlatformPublicKeyCredential(
                    email: "ada@example.com", credentialRegistration: registration,
                    name: PersonNameComponents(givenName: "Ada"))) == ["ada@example.com", "Ada", "1"])
        #expect(
            heard(
                ASAuthorizationAccountCreationPlatformPublicKeyCredential(
                    phoneNumber: "+4930", credentialRegistration: registration)) == ["+4930", "", "1"])
        #expect(
            heard(
                ASAuthorizationSingleSignOnCredential(
                    identityToken: Data([1]), state: "state", authorizedScopes: [.email])) == ["1 state 1"])
    }

    @Test("keep the values of their kind")
    func values() {
        let passkey = ASAuthorizationPlatformPublicKeyCredentialAssertion(
            userID: Data([1]), credentialID: Data([2]), rawAuthenticatorData: Data([3]), rawClientDataJSON: Data([4]),
            attachment: .crossPlatform)
        #expect(passkey.attachment == .crossPlatform)
        #expect(passkey.rawAuthenticatorData == Data([3]))
        #expect(passkey.rawClientDataJSON == Data([4]))
        #expect(passkey.copy() as? NSObject === passkey)
        #expect(ASAuthorizationPlatformPublicKeyCredentialRegistration(credentialID: Data()).attachment == .platform)
        let key = ASAuthorizationSecurityKeyPublicKeyCredentialAssertion(
            userID: Data([1]), credentialID: Data([2]), rawAuthenticatorData: Data([3]), rawClientDataJSON: Data([4]),
            appID: true)
        #expect(key.appID)
        #expect(key.rawAuthenticatorData == Data([3]))
        #expect(key.rawClientDataJSON == Data([4]))
        let newKey = ASAuthorizationSecurityKeyPublicKeyCredentialRegistration(
            credentialID: Data([1]), transports: [.usb, .nfc])
        #expect(newKey.transports == [.usb, .nfc])
        let work = ASAuthorizationSingleSignOnCredential(identityToken: nil, accessToken: Data([1]))
        #expect(work.accessToken == Data([1]))
        #expect(work.authenticatedResponse == nil)
    }
}
