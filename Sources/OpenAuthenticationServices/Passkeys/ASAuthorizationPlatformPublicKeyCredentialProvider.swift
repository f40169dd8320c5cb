public import Foundation

/// Makes requests for passkeys.
///
/// Only Apple's systems hold passkeys. A controller skips these requests here, and ends with
/// ``ASAuthorizationError/Code/notHandled`` if it has no other.
///
/// Sendable: its one stored property is a constant.
open class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    // Sendable: set once.
    private let domain: String

    /// Makes a provider for the passkeys of a domain.
    ///
    /// - Parameter relyingPartyIdentifier: The server's domain, without a scheme.
    public init(relyingPartyIdentifier: String) {
        domain = relyingPartyIdentifier
    }

    /// The domain of the requests.
    open var relyingPartyIdentifier: String { domain }

    /// Makes a request to create a passkey.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge.
    ///   - name: The user name that people see beside the passkey.
    ///   - userID: The server's identifier of the user.
    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        createCredentialRegistrationRequest(challenge: challenge, name: name, userID: userID, requestStyle: .standard)
    }

    /// Makes a request to create a passkey, in the style given.
    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data,
        requestStyle: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        var content = PlatformRegistrationContent(
            relyingPartyIdentifier: domain, challenge: challenge, name: name, userID: userID)
        content.requestStyle = requestStyle
        return ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(provider: self, content: content)
    }

    /// Makes a request to sign in with a passkey.
    ///
    /// - Parameter challenge: The server's challenge.
    open func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(
            provider: self, content: PlatformAssertionContent(relyingPartyIdentifier: domain, challenge: challenge))
    }
}

/// Names a passkey in a request.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor, @unchecked Sendable
{
    // Sendable: the identifier is behind this lock.
    private let kept: LockedValues<Data>

    /// Makes a descriptor of the passkey with this identifier.
    public init(credentialID: Data) {
        kept = LockedValues(credentialID)
    }

    /// The identifier of the passkey.
    open var credentialID: Data {
        get { kept.current }
        set { kept.current = newValue }
    }

    /// Another descriptor of the same passkey.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: credentialID)
    }

    /// Always true: descriptors are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the identifier to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(credentialID as NSData, forKey: "credentialID")
    }

    /// Nil if the archive has no identifier.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeObject(of: NSData.self, forKey: "credentialID") else { return nil }
        kept = LockedValues(id as Data)
    }
}
