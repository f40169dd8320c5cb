public import Foundation

// The protocols that requests and credentials of passkeys and security keys share. This library makes no such
// credential: only Apple's systems hold passkeys. The types are Apple's, also `Data!`.

/// A credential of a passkey or a security key, in WebAuthn's form.
public protocol ASPublicKeyCredential: ASAuthorizationCredential {
    /// The client data that the authenticator signed, as JSON in UTF-8.
    var rawClientDataJSON: Data { get }

    /// The identifier of the key pair.
    var credentialID: Data { get }
}

/// The proof that somebody holds a passkey or a security key, for the server to verify.
public protocol ASAuthorizationPublicKeyCredentialAssertion: ASPublicKeyCredential {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// WebAuthn's authenticator data, in its binary form.
    var rawAuthenticatorData: Data! { get }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user identifier from the registration.
    var userID: Data! { get }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The signature over the authenticator data and the hash of the client data.
    var signature: Data! { get }
}

/// A new passkey or a new key pair of a security key, for the server to keep.
public protocol ASAuthorizationPublicKeyCredentialRegistration: ASPublicKeyCredential {
    /// WebAuthn's attestation object, with the public key in it.
    var rawAttestationObject: Data? { get }
}

/// Names a key pair in a request.
public protocol ASAuthorizationPublicKeyCredentialDescriptor: NSObjectProtocol, NSSecureCoding, NSCopying {
    /// The identifier of the key pair.
    var credentialID: Data { get set }
}

/// A request to prove possession of a passkey or a security key.
public protocol ASAuthorizationPublicKeyCredentialAssertionRequest: NSObjectProtocol, NSSecureCoding, NSCopying {
    /// The server's challenge, which the authenticator signs.
    var challenge: Data { get set }

    /// The domain that the key pair belongs to.
    var relyingPartyIdentifier: String { get set }

    /// The key pairs that may answer. If the list is empty, any key pair of the domain may.
    var allowedCredentials: [any ASAuthorizationPublicKeyCredentialDescriptor] { get set }

    /// Whether the authenticator checks who is there, by a fingerprint for example.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference { get set }
}

/// A request to create a passkey or a key pair on a security key.
public protocol ASAuthorizationPublicKeyCredentialRegistrationRequest: NSObjectProtocol, NSSecureCoding, NSCopying {
    /// The domain that the key pair will belong to.
    var relyingPartyIdentifier: String { get }

    /// The server's identifier of the user. It is stored with the key pair.
    var userID: Data { get set }

    /// The user name that people see beside the key pair.
    var name: String { get set }

    /// A name for people, if it differs from the user name.
    var displayName: String? { get set }

    /// The server's challenge, which the authenticator signs.
    var challenge: Data { get set }

    /// Whether the authenticator checks who is there, by a fingerprint for example.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference { get set }

    /// How much the authenticator says about its own make.
    var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind { get set }
}
