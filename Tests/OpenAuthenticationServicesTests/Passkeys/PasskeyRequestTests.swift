import OpenAuthenticationServices
import Testing

@Suite("Requests for passkeys, security keys and single sign-on")
struct PasskeyRequestTests {
    private let platform = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
    private let keys = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")

    private func descriptor(_ byte: UInt8) -> ASAuthorizationPlatformPublicKeyCredentialDescriptor {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([byte]))
    }

    @Test("keep what the app sets for a sign-in with a passkey, and copies do too")
    func platformAssertion() throws {
        let request = platform.createCredentialAssertionRequest(challenge: Data([1]))
        #expect(request.provider === platform)
        #expect(request.challenge == Data([1]))
        #expect(request.relyingPartyIdentifier == "example.com")
        #expect(request.allowedCredentials.isEmpty)
        #expect(request.userVerificationPreference == .preferred)
        #expect(request.shouldShowHybridTransport)
        request.challenge = Data([9])
        request.relyingPartyIdentifier = "example.org"
        request.allowedCredentials = [descriptor(2)]
        request.allowedCredentials.append(descriptor(3))
        request.userVerificationPreference = .required
        request.shouldShowHybridTransport = false
        let copy = try #require(request.copy() as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest)
        request.challenge = Data()
        #expect(copy.challenge == Data([9]))
        #expect(copy.relyingPartyIdentifier == "example.org")
        #expect(copy.allowedCredentials.map(\.credentialID) == [Data([2]), Data([3])])
        #expect(copy.userVerificationPreference == .required)
        #expect(!copy.shouldShowHybridTransport)
    }

    @Test("keep what the app sets for a new passkey, and copies do too")
    func platformRegistration() throws {
        let request = platform.createCredentialRegistrationRequest(challenge: Data([1]), name: "ada", userID: Data([2]))
        #expect(request.requestStyle == .standard)
        #expect(request.displayName == nil)
        #expect(request.excludedCredentials == nil)
        #expect(request.attestationPreference == .none)
        request.challenge = Data([9])
        request.name = "lovelace"
        request.userID = Data([8])
        request.displayName = "Ada"
        request.userVerificationPreference = .discouraged
        request.attestationPreference = .direct
        request.requestStyle = .conditional
        request.excludedCredentials = [descriptor(3)]
        request.shouldShowHybridTransport = false
        let copy = try #require(request.copy() as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest)
        #expect(copy.relyingPartyIdentifier == "example.com")
        #expect(copy.challenge == Data([9]))
        #expect(copy.name == "lovelace")
        #expect(copy.userID == Data([8]))
        #expect(copy.displayName == "Ada")
        #expect(copy.userVerificationPreference == .discouraged)
        #expect(copy.attestationPreference == .direct)
        #expect(copy.requestStyle == .conditional)
        #expect(copy.excludedCredentials?.map(\.credentialID) == [Data([3])])
        #expect(!copy.shouldShowHybridTransport)
        let styled = platform.createCredentialRegistrationRequest(
            challenge: Data([1]), name: "ada", userID: Data([2]), requestStyle: .conditional)
        #expect(styled.requestStyle == .conditional)
    }

    @Test("keep what the app sets for a security key, and copies do too")
    func securityKeys() throws {
        let assertion = keys.createCredentialAssertionRequest(challenge: Data([1]))
        assertion.allowedCredentials = [
            ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(credentialID: Data([2]), transports: [.usb])
        ]
        assertion.appID = "https://example.com/u2f"
        let assertionCopy = try #require(
            assertion.copy() as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest)
        #expect(assertionCopy.allowedCredentials.map(\.transports) == [[.usb]])
        #expect(assertionCopy.appID == "https://example.com/u2f")
        let registration = keys.createCredentialRegistrationRequest(
            challenge: Data([1]), displayName: "Ada", name: "ada", userID: Data([2]))
        #expect(registration.displayName == "Ada")
        registration.credentialParameters = [ASAuthorizationPublicKeyCredentialParameters(algorithm: .ES256)]
        registration.excludedCredentials = assertion.allowedCredentials
        registration.residentKeyPreference = .required
        let registrationCopy = try #require(
            registration.copy() as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest)
        #expect(registrationCopy.credentialParameters.map(\.algorithm) == [.ES256])
        #expect(registrationCopy.excludedCredentials.map(\.credentialID) == [Data([2])])
        #expect(registrationCopy.residentKeyPreference == .required)
        #expect(registrationCopy.name == "ada")
    }

    @Test("can be configured through their protocols, whatever their class")
    func protocols() {
        let platformRequest = platform.createCredentialAssertionRequest(challenge: Data([1]))
        let keyRequest = keys.createCredentialAssertionRequest(challenge: Data([1]))
        let requests: [any ASAuthorizationPublicKeyCredentialAssertionRequest] = [platformRequest, keyRequest]
        let ofKey = ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(credentialID: Data([7]), transports: [])
        for request in requests {
            request.userVerificationPreference = .discouraged
            request.allowedCredentials = [descriptor(6), ofKey]
        }
        // Each takes the descriptors of its own kind.
        #expect(requests.map { $0.allowedCredentials.map(\.credentialID) } == [[Data([6])], [Data([7])]])
        #expect(platformRequest.allowedCredentials.map(\.credentialID) == [Data([6])])
        #expect(platformRequest.userVerificationPreference == .discouraged)
        let registrations: [any ASAuthorizationPublicKeyCredentialRegistrationRequest] = [
            platform.createCredentialRegistrationRequest(challenge: Data([1]), name: "ada", userID: Data([2])),
            keys.createCredentialRegistrationRequest(
                challenge: Data([1]), displayName: "Ada", name: "ada", userID: Data([2])),
        ]
        for request in registrations { request.name = "lovelace" }
        #expect(registrations.map(\.name) == ["lovelace", "lovelace"])
    }

    @Test("hold what a new account needs")
    func newAccount() throws {
        let provider = ASAuthorizationAccountCreationProvider()
        let request = provider.createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.phoneNumber, .email], shouldRequestName: true,
            relyingPartyIdentifier: "example.com", challenge: Data([1]), userID: Data([2]))
        #expect(request.provider === provider)
        let copy = try #require(request.copy() as? ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest)
        #expect(copy.acceptedContactIdentifiers == [.phoneNumber, .email])
        #expect(copy.shouldRequestName)
        #expect(copy.relyingPartyIdentifier == "example.com")
        #expect(copy.challenge == Data([1]))
        #expect(copy.userID == Data([2]))
    }

    @Test("hold an identity provider's values, and can never be performed")
    func singleSignOn() throws {
        let url = try #require(URL(string: "https://id.example.com"))
        let provider = ASAuthorizationSingleSignOnProvider(identityProvider: url)
        #expect(provider.url == url)
        #expect(!provider.canPerformAuthorization)
        let request = provider.createRequest()
        #expect(request.isUserInterfaceEnabled)
        request.isUserInterfaceEnabled = false
        request.authorizationOptions = [URLQueryItem(name: "tenant", value: "a")]
        request.requestedScopes = [.email]
        request.state = "state"
        let copy = try #require(request.copy() as? ASAuthorizationSingleSignOnRequest)
        #expect(copy.authorizationOptions == [URLQueryItem(name: "tenant", value: "a")])
        #expect(!copy.isUserInterfaceEnabled)
        #expect(copy.requestedScopes == [.email])
        #expect(copy.state == "state")
    }

    @Test("name key pairs by descriptors that can be copied and archived")
    func descriptors() throws {
        let ofPasskey = descriptor(1)
        let ofKey = ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
            credentialID: Data([2]), transports: [.nfc, .bluetooth])
        let copy = try #require(ofKey.copy() as? ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor)
        ofKey.credentialID = Data([3])
        ofKey.transports = [.usb]
        #expect(copy.credentialID == Data([2]))
        #expect(copy.transports == [.nfc, .bluetooth])
        let passkeyRead = try archived(ofPasskey)
        #expect(passkeyRead.credentialID == Data([1]))
        let keyRead = try archived(copy)
        #expect(keyRead.credentialID == Data([2]))
        #expect(keyRead.transports == [.nfc, .bluetooth])
        let parameters = ASAuthorizationPublicKeyCredentialParameters(algorithm: .ES256)
        #expect(try archived(parameters).algorithm == .ES256)
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
    }

    @Test("use WebAuthn's words and COSE's numbers")
    func words() {
        typealias Transport = ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport
        #expect(Transport.allSupported.map(\.rawValue) == ["usb", "nfc", "ble"])
        typealias Verification = ASAuthorizationPublicKeyCredentialUserVerificationPreference
        #expect(
            [Verification.required, .preferred, .discouraged].map(\.rawValue)
                == ["required", "preferred", "discouraged"])
        typealias Attestation = ASAuthorizationPublicKeyCredentialAttestationKind
        #expect(
            [Attestation.none, .indirect, .direct, .enterprise].map(\.rawValue)
                == ["none", "indirect", "direct", "enterprise"])
        #expect(ASAuthorizationPublicKeyCredentialResidentKeyPreference(rawValue: "required") == .required)
        #expect(ASCOSEAlgorithmIdentifier.ES256.rawValue == -7)
        #expect(ASCOSEEllipticCurveIdentifier.P256 == ASCOSEEllipticCurveIdentifier(1))
        typealias Style = ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle
        #expect([Style.standard, .conditional].map(\.rawValue) == [0, 1])
        typealias Attachment = ASAuthorizationPublicKeyCredentialAttachment
        #expect([Attachment.platform, .crossPlatform].map(\.rawValue) == [0, 1])
    }
}
