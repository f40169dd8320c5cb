public import Foundation

/// Makes requests for physical security keys.
///
/// This library reads no security key. A controller skips these requests here, and ends with
/// ``ASAuthorizationError/Code/notHandled`` if it has no other.
///
/// Sendable: its one stored property is a constant.
open class ASAuthorizationSecurityKeyPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider,
    @unchecked Sendable
{
    // Sendable: set once.
    private let domain: String

    /// Makes a provider for the security keys of a domain.
    ///
    /// - Parameter relyingPartyIdentifier: The server's domain, without a scheme.
    public init(relyingPartyIdentifier: String) {
        domain = relyingPartyIdentifier
    }

    /// The domain of the requests.
    open var relyingPartyIdentifier: String { domain }

    /// Makes a request to create a key pair on a security key.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge.
    ///   - displayName: A name for people.
    ///   - name: The user name.
    ///   - userID: The server's identifier of the user.
    open func createCredentialRegistrationRequest(
        challenge: Data, displayName: String, name: String, userID: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest(
            provider: self,
            content: SecurityKeyRegistrationContent(
                relyingPartyIdentifier: domain, challenge: challenge, name: name, userID: userID,
                displayName: displayName))
    }

    /// Makes a request to sign in with a security key.
    ///
    /// - Parameter challenge: The server's challenge.
    open func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest(
            provider: self, content: SecurityKeyAssertionContent(relyingPartyIdentifier: domain, challenge: challenge))
    }
}

/// Names a key pair of a security key in a request.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor, @unchecked Sendable
{
    // Sendable: all that changes is behind this lock.
    private let kept: LockedValues<Content>

    private struct Content {
        var credentialID: Data
        var transports: [Transport]
    }

    /// Makes a descriptor of the key pair with this identifier.
    ///
    /// - Parameter allowedTransports: The ways on which the security key may be reached.
    public init(credentialID: Data, transports allowedTransports: [Transport]) {
        kept = LockedValues(Content(credentialID: credentialID, transports: allowedTransports))
    }

    /// The identifier of the key pair.
    open var credentialID: Data {
        get { kept.credentialID }
        set { kept.credentialID = newValue }
    }

    /// The ways on which the security key may be reached.
    open var transports: [Transport] {
        get { kept.transports }
        set { kept.transports = newValue }
    }

    /// Another descriptor of the same key pair.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(credentialID: credentialID, transports: transports)
    }

    /// Always true: descriptors are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes identifier and transports to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(credentialID as NSData, forKey: "credentialID")
        coder.encode(transports.map { $0.rawValue as NSString } as NSArray, forKey: "transports")
    }

    /// Nil if the archive has no identifier.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeObject(of: NSData.self, forKey: "credentialID") else { return nil }
        let transports = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "transports") as? [String]
        kept = LockedValues(
            Content(credentialID: id as Data, transports: (transports ?? []).map { Transport($0) }))
    }

    /// A way on which a security key is reached.
    public struct Transport: RawRepresentable, Hashable, Sendable {
        /// WebAuthn's word.
        public let rawValue: String

        /// Makes a value of WebAuthn's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a value of WebAuthn's word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The security key is plugged in, over USB or Lightning.
        public static let usb = Self("usb")
        /// Held against the device (NFC).
        public static let nfc = Self("nfc")
        /// Over the air (Bluetooth Low Energy).
        public static let bluetooth = Self("ble")

        /// The three above. No security key is read here on any of them.
        public static var allSupported: [Self] { [.usb, .nfc, .bluetooth] }
    }
}
