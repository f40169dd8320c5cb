public import Foundation

// The credentials of passkeys and security keys. Nothing here makes one but a unit test, with
// AuthenticationServicesTesting: app code that handles them compiles, and can be tested. The types are Apple's,
// also `Data!`.

/// The proof that somebody holds a passkey. Only Apple's systems give one.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationPublicKeyCredentialAssertion, @unchecked Sendable
{
    // Sendable: set once.
    private let values: AssertionValues
    private let place: ASAuthorizationPublicKeyCredentialAttachment

    package init(_ values: AssertionValues, attachment: ASAuthorizationPublicKeyCredentialAttachment) {
        self.values = values
        place = attachment
    }

    /// The client data that the authenticator signed, as JSON in UTF-8.
    open var rawClientDataJSON: Data { values.rawClientDataJSON }

    /// The identifier of the passkey.
    open var credentialID: Data { values.credentialID }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// WebAuthn's authenticator data, in its binary form.
    open var rawAuthenticatorData: Data! { values.rawAuthenticatorData }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user identifier from the registration.
    open var userID: Data! { values.userID }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The signature over the authenticator data and the hash of the client data.
    open var signature: Data! { values.signature }

    /// Whether the passkey is on this device or on another.
    open var attachment: ASAuthorizationPublicKeyCredentialAttachment { place }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: an assertion answers one challenge, and is not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: assertions are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// A new passkey. Only Apple's systems create one.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration, @unchecked Sendable
{
    // Sendable: set once.
    private let values: RegistrationValues
    private let place: ASAuthorizationPublicKeyCredentialAttachment

    package init(_ values: RegistrationValues, attachment: ASAuthorizationPublicKeyCredentialAttachment) {
        self.values = values
        place = attachment
    }

    /// The client data of the registration, as JSON in UTF-8.
    open var rawClientDataJSON: Data { values.rawClientDataJSON }

    /// The identifier of the passkey.
    open var credentialID: Data { values.credentialID }

    /// WebAuthn's attestation object, with the public key in it.
    open var rawAttestationObject: Data? { values.rawAttestationObject }

    /// Whether the passkey is on this device or on another.
    open var attachment: ASAuthorizationPublicKeyCredentialAttachment { place }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: a registration answers one challenge, and is not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: registrations are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// The proof that somebody holds a security key. This library reads none.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationSecurityKeyPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationPublicKeyCredentialAssertion, @unchecked Sendable
{
    // Sendable: set once.
    private let values: AssertionValues
    private let usedAppID: Bool

    package init(_ values: AssertionValues, appID: Bool) {
        self.values = values
        usedAppID = appID
    }

    /// The client data that the security key signed, as JSON in UTF-8.
    open var rawClientDataJSON: Data { values.rawClientDataJSON }

    /// The identifier of the key pair.
    open var credentialID: Data { values.credentialID }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// WebAuthn's authenticator data, in its binary form.
    open var rawAuthenticatorData: Data! { values.rawAuthenticatorData }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user identifier from the registration.
    open var userID: Data! { values.userID }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The signature over the authenticator data and the hash of the client data.
    open var signature: Data! { values.signature }

    /// Whether the key pair is one from before WebAuthn, found by the request's AppID.
    open var appID: Bool { usedAppID }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: an assertion answers one challenge, and is not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: assertions are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// A new key pair on a security key. This library creates none.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationSecurityKeyPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration, @unchecked Sendable
{
    // Sendable: set once.
    private let values: RegistrationValues
    private let ways: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]

    package init(
        _ values: RegistrationValues, transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]
    ) {
        self.values = values
        ways = transports
    }

    /// The client data of the registration, as JSON in UTF-8.
    open var rawClientDataJSON: Data { values.rawClientDataJSON }

    /// The identifier of the key pair.
    open var credentialID: Data { values.credentialID }

    /// WebAuthn's attestation object, with the public key in it.
    open var rawAttestationObject: Data? { values.rawAttestationObject }

    /// The ways on which the security key can be reached.
    open var transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] { ways }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: a registration answers one challenge, and is not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: registrations are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// The values of an assertion.
package struct AssertionValues: Sendable {
    package var userID: Data
    package var credentialID: Data
    package var rawAuthenticatorData: Data
    package var signature: Data
    package var rawClientDataJSON: Data

    package init(
        userID: Data, credentialID: Data, rawAuthenticatorData: Data, signature: Data, rawClientDataJSON: Data
    ) {
        self.userID = userID
        self.credentialID = credentialID
        self.rawAuthenticatorData = rawAuthenticatorData
        self.signature = signature
        self.rawClientDataJSON = rawClientDataJSON
    }
}

/// The values of a registration.
package struct RegistrationValues: Sendable {
    package var credentialID: Data
    package var rawAttestationObject: Data?
    package var rawClientDataJSON: Data

    package init(credentialID: Data, rawAttestationObject: Data?, rawClientDataJSON: Data) {
        self.credentialID = credentialID
        self.rawAttestationObject = rawAttestationObject
        self.rawClientDataJSON = rawClientDataJSON
    }
}
