public import Foundation

/// A request to sign in with a passkey. Controllers skip it here.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialAssertionRequest, @unchecked Sendable
{
    // Sendable: all that changes is behind this lock.
    private let kept: LockedValues<PlatformAssertionContent>

    init(provider: any ASAuthorizationProvider, content: PlatformAssertionContent) {
        kept = LockedValues(content)
        super.init(provider: provider)
    }

    /// The server's challenge, which the authenticator signs.
    open var challenge: Data {
        get { kept.challenge }
        set { kept.challenge = newValue }
    }

    /// The domain that the passkey belongs to.
    open var relyingPartyIdentifier: String {
        get { kept.relyingPartyIdentifier }
        set { kept.relyingPartyIdentifier = newValue }
    }

    /// The passkeys that may answer. If the list is empty, any passkey of the domain may.
    open var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] {
        get { kept.allowedCredentials }
        set { kept.allowedCredentials = newValue }
    }

    /// Whether the authenticator checks who is there.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get { kept.userVerificationPreference }
        set { kept.userVerificationPreference = newValue }
    }

    /// Whether Apple's sheet offers a passkey of another device.
    open var shouldShowHybridTransport: Bool {
        get { kept.shouldShowHybridTransport }
        set { kept.shouldShowHybridTransport = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(provider: provider, content: kept.current)
    }

    /// Nil: requests for passkeys are not archived here.
    public required init?(coder: NSCoder) { nil }
}

extension ASAuthorizationPublicKeyCredentialAssertionRequest
where Self: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
    /// The passkeys that may answer. Descriptors of another kind are left out.
    public var allowedCredentials: [any ASAuthorizationPublicKeyCredentialDescriptor] {
        get {
            // The class's own property, by its type.
            let descriptors: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = allowedCredentials
            return descriptors
        }
        set {
            let descriptors = newValue.compactMap { $0 as? ASAuthorizationPlatformPublicKeyCredentialDescriptor }
            allowedCredentials = descriptors
        }
    }
}

/// A request to create a passkey. Controllers skip it here.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialRegistrationRequest, @unchecked Sendable
{
    // Sendable: all that changes is behind this lock.
    private let kept: LockedValues<PlatformRegistrationContent>

    init(provider: any ASAuthorizationProvider, content: PlatformRegistrationContent) {
        kept = LockedValues(content)
        super.init(provider: provider)
    }

    /// The domain that the passkey will belong to.
    open var relyingPartyIdentifier: String { kept.relyingPartyIdentifier }

    /// The server's identifier of the user.
    open var userID: Data {
        get { kept.userID }
        set { kept.userID = newValue }
    }

    /// The user name that people see beside the passkey.
    open var name: String {
        get { kept.name }
        set { kept.name = newValue }
    }

    /// A name for people, if it differs from the user name.
    open var displayName: String? {
        get { kept.displayName }
        set { kept.displayName = newValue }
    }

    /// The server's challenge, which the authenticator signs.
    open var challenge: Data {
        get { kept.challenge }
        set { kept.challenge = newValue }
    }

    /// Whether the authenticator checks who is there.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get { kept.userVerificationPreference }
        set { kept.userVerificationPreference = newValue }
    }

    /// How much the authenticator says about its own make.
    open var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind {
        get { kept.attestationPreference }
        set { kept.attestationPreference = newValue }
    }

    /// Whether Apple's systems ask, or create the passkey silently after a sign-in with a password.
    open var requestStyle: RequestStyle {
        get { kept.requestStyle }
        set { kept.requestStyle = newValue }
    }

    /// The passkeys that must not exist yet.
    open var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? {
        get { kept.excludedCredentials }
        set { kept.excludedCredentials = newValue }
    }

    /// Whether Apple's sheet offers to create the passkey on another device.
    open var shouldShowHybridTransport: Bool {
        get { kept.shouldShowHybridTransport }
        set { kept.shouldShowHybridTransport = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(provider: provider, content: kept.current)
    }

    /// Nil: requests for passkeys are not archived here.
    public required init?(coder: NSCoder) { nil }

    /// How a passkey is created.
    public enum RequestStyle: Int, Sendable {
        /// With a sheet.
        case standard = 0
        /// Without asking, if the person's password manager agrees.
        case conditional = 1
    }
}

struct PlatformAssertionContent: Sendable {
    var relyingPartyIdentifier: String
    var challenge: Data
    var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    var shouldShowHybridTransport = true
}

struct PlatformRegistrationContent: Sendable {
    var relyingPartyIdentifier: String
    var challenge: Data
    var name: String
    var userID: Data
    var displayName: String?
    var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    var requestStyle = ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle.standard
    var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
    var shouldShowHybridTransport = true
}
