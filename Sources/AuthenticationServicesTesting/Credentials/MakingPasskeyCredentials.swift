public import Foundation
public import OpenAuthenticationServices

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Credentials that only Apple's systems give, for unit tests of the code that handles them. Nothing in them is checked.

extension ASAuthorizationPlatformPublicKeyCredentialAssertion {
    /// Makes the assertion of a passkey, for a unit test.
    public convenience init(
        userID: Data, credentialID: Data, rawAuthenticatorData: Data = Data(), signature: Data = Data(),
        rawClientDataJSON: Data = Data(), attachment: ASAuthorizationPublicKeyCredentialAttachment = .platform
    ) {
        self.init(
            AssertionValues(
                userID: userID, credentialID: credentialID, rawAuthenticatorData: rawAuthenticatorData,
                signature: signature, rawClientDataJSON: rawClientDataJSON),
            attachment: attachment)
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialRegistration {
    /// Makes the registration of a passkey, for a unit test.
    public convenience init(
        credentialID: Data, rawAttestationObject: Data? = nil, rawClientDataJSON: Data = Data(),
        attachment: ASAuthorizationPublicKeyCredentialAttachment = .platform
    ) {
        self.init(
            RegistrationValues(
                credentialID: credentialID, rawAttestationObject: rawAttestationObject,
                rawClientDataJSON: rawClientDataJSON),
            attachment: attachment)
    }
}

extension ASAuthorizationSecurityKeyPublicKeyCredentialAssertion {
    /// Makes the assertion of a security key, for a unit test.
    public convenience init(
        userID: Data, credentialID: Data, rawAuthenticatorData: Data = Data(), signature: Data = Data(),
        rawClientDataJSON: Data = Data(), appID: Bool = false
    ) {
        self.init(
            AssertionValues(
                userID: userID, credentialID: credentialID, rawAuthenticatorData: rawAuthenticatorData,
                signature: signature, rawClientDataJSON: rawClientDataJSON),
            appID: appID)
    }
}

extension ASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
    /// Makes the registration of a security key, for a unit test.
    public convenience init(
        credentialID: Data, rawAttestationObject: Data? = nil, rawClientDataJSON: Data = Data(),
        transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] = []
    ) {
        self.init(
            RegistrationValues(
                credentialID: credentialID, rawAttestationObject: rawAttestationObject,
                rawClientDataJSON: rawClientDataJSON),
            transports: transports)
    }
}

extension ASAuthorizationAccountCreationPlatformPublicKeyCredential {
    /// Makes the credential of a new account whose owner gave an e-mail address, for a unit test.
    public convenience init(
        email: String, credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration,
        name: PersonNameComponents? = nil
    ) {
        self.init(
            contactIdentifier: .email(ASEmailIdentifier(email)), credentialRegistration: credentialRegistration,
            name: name)
    }

    /// Makes the credential of a new account whose owner gave a phone number, for a unit test.
    public convenience init(
        phoneNumber: String, credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration,
        name: PersonNameComponents? = nil
    ) {
        self.init(
            contactIdentifier: .phoneNumber(ASPhoneNumberIdentifier(phoneNumber)),
            credentialRegistration: credentialRegistration, name: name)
    }
}

extension ASAuthorizationSingleSignOnCredential {
    /// Makes the credential of an organization's identity provider, for a unit test.
    public convenience init(
        identityToken: Data?, accessToken: Data? = nil, state: String? = nil,
        authorizedScopes: [ASAuthorization.Scope] = [], authenticatedResponse: HTTPURLResponse? = nil
    ) {
        self.init(
            SingleSignOnValues(
                state: state, accessToken: accessToken, identityToken: identityToken,
                authorizedScopes: authorizedScopes, authenticatedResponse: authenticatedResponse))
    }
}

extension ASAuthorization {
    /// Makes the authorization that a delegate is given, with any credential, for a unit test that calls the delegate
    /// itself.
    public convenience init(
        credential: any ASAuthorizationCredential, from provider: any ASAuthorizationProvider
    ) {
        self.init(provider: provider, credential: credential)
    }
}
