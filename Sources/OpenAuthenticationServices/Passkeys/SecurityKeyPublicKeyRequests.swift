public import Foundation

/// A request to sign in with a security key. Controllers skip it here.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialAssertionRequest, @unchecked Sendable
{
    // Sendable: all that changes is behind this lock.
    private let kept: LockedValues<SecurityKeyAssertionContent>

    init(provider: any ASAuthorizationProvider, content: SecurityKeyAssertionContent) {
        kept = LockedValues(content)
        super.init(provider: provider)
    }

    /// The server's challenge, which the security key signs.
    open var challenge: Data {
        get { kept.challenge }
        set { kept.challenge = newValue }
    }

    /// The domain that the key pair belongs to.
    open var relyingPartyIdentifier: String {
        get { kept.relyingPartyIdentifier }
        set { kept.relyingPartyIdentifier = newValue }
    }

    /// The key pairs that may answer. If the list is empty, any key pair of the domain may.
    open var allowedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] {
        get { kept.allowedCredentials }
        set { kept.allowedCredentials = newValue }
    }

    /// Whether the security key checks who is there.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get { kept.userVerificationPreference }
        set { kept.userVerificationPreference = newValue }
    }

    /// The identifier of key pairs from before WebAuthn (FIDO's AppID), if the server still has some.
    open var appID: String? {
        get { kept.appID }
        set { kept.appID = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest(provider: provider, content: kept.current)
    }

    /// Nil: requests for security keys are not archived here.
    public required init?(coder: NSCoder) { nil }
}

extension ASAuthorizationPublicKeyCredentialAssertionRequest
where Self: ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
    /// The key pairs that may answer. Descriptors of another kind are left out.
    public var allowedCredentials: [any ASAuthorizationPublicKeyCredentialDescriptor] {
        get {
            // The class's own property, by its type.
            let descriptors: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = allowedCredentials
            return descriptors
        }
        set {
            let descriptors = newValue.compactMap { $0 as? ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor }
            allowedCredentials = descriptors
        }
    }
}

/// A request to create a key pair on a security key. Controllers skip it here.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialRegistrationRequest, @unchecked Sendable
{
    // Sendable: all that changes is behind this lock.
    private let kept: LockedValues<SecurityKeyRegistrationContent>

    init(provider: any ASAuthorizationProvider, content: SecurityKeyRegistrationContent) {
        kept = LockedValues(content)
        super.init(provider: provider)
    }

    /// The domain that the key pair will belong to.
    open var relyingPartyIdentifier: String { kept.relyingPartyIdentifier }

    /// The server's identifier of the user.
    open var userID: Data {
        get { kept.userID }
        set { kept.userID = newValue }
    }

    /// The user name.
    open var name: String {
        get { kept.name }
        set { kept.name = newValue }
    }

    /// A name for people.
    open var displayName: String? {
        get { kept.displayName }
        set { kept.displayName = newValue }
    }

    /// The server's challenge, which the security key signs.
    open var challenge: Data {
        get { kept.challenge }
        set { kept.challenge = newValue }
    }

    /// Whether the security key checks who is there.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get { kept.userVerificationPreference }
        set { kept.userVerificationPreference = newValue }
    }

    /// How much the security key says about its own make.
    open var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind {
        get { kept.attestationPreference }
        set { kept.attestationPreference = newValue }
    }

    /// The algorithms that the server accepts, best first.
    open var credentialParameters: [ASAuthorizationPublicKeyCredentialParameters] {
        get { kept.credentialParameters }
        set { kept.credentialParameters = newValue }
    }

    /// The key pairs that must not exist yet on the security key.
    open var excludedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] {
        get { kept.excludedCredentials }
        set { kept.excludedCredentials = newValue }
    }

    /// Whether the security key stores the private key itself.
    open var residentKeyPreference: ASAuthorizationPublicKeyCredentialResidentKeyPreference {
        get { kept.residentKeyPreference }
        set { kept.residentKeyPreference = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest(provider: provider, content: kept.current)
    }

    /// Nil: requests for security keys are not archived here.
    public required init?(coder: NSCoder) { nil }
}

struct SecurityKeyAssertionContent: Sendable {
    var relyingPartyIdentifier: String
    var challenge: Data
    var allowedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    var appID: String?
}

struct SecurityKeyRegistrationContent: Sendable {
    var relyingPartyIdentifier: String
    var challenge: Data
    var name: String
    var userID: Data
    var displayName: String?
    var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    var credentialParameters: [ASAuthorizationPublicKeyCredentialParameters] = []
    var excludedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    var residentKeyPreference = ASAuthorizationPublicKeyCredentialResidentKeyPreference.discouraged
}
