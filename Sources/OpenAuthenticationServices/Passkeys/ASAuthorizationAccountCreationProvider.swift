public import Foundation

/// Makes requests to create an account with a passkey, as login pages do since iOS 26.
///
/// Nothing here creates a passkey. A controller without another request that it can perform ends with
/// ``ASAuthorizationError/Code/preferSignInWithApple``: app code that handles this code then signs in with Apple.
open class ASAuthorizationAccountCreationProvider: NSObject, ASAuthorizationProvider {
    /// Makes a provider.
    public override init() {}

    /// Makes a request to create an account with a passkey.
    ///
    /// - Parameters:
    ///   - acceptedContactIdentifiers: The kinds of contact identifier that the app accepts, best first.
    ///   - shouldRequestName: Whether the app asks for the person's name.
    ///   - relyingPartyIdentifier: The server's domain.
    ///   - challenge: The server's challenge, good once.
    ///   - userID: The server's identifier of the new account.
    open func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [ASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
    ) -> ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
            provider: self, acceptedContactIdentifiers: acceptedContactIdentifiers,
            shouldRequestName: shouldRequestName, relyingPartyIdentifier: relyingPartyIdentifier, challenge: challenge,
            userID: userID)
    }
}

/// A request to create an account with a passkey. It never changes.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest: ASAuthorizationRequest,
    @unchecked Sendable
{
    // Sendable: set once.

    /// The kinds of contact identifier that the app accepts, best first.
    public let acceptedContactIdentifiers: [ASContactIdentifierRequest]
    /// Whether the app asks for the person's name.
    public let shouldRequestName: Bool
    /// The server's domain.
    public let relyingPartyIdentifier: String
    /// The server's challenge.
    public let challenge: Data
    /// The server's identifier of the new account.
    public let userID: Data

    init(
        provider: any ASAuthorizationProvider, acceptedContactIdentifiers: [ASContactIdentifierRequest],
        shouldRequestName: Bool, relyingPartyIdentifier: String, challenge: Data, userID: Data
    ) {
        self.acceptedContactIdentifiers = acceptedContactIdentifiers
        self.shouldRequestName = shouldRequestName
        self.relyingPartyIdentifier = relyingPartyIdentifier
        self.challenge = challenge
        self.userID = userID
        super.init(provider: provider)
    }

    /// Itself, since it never changes.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Nil: requests for passkeys are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// A new account's passkey, with what the person told about themselves. Only Apple's systems give one.
///
/// Sendable: its stored properties are constants of Sendable values.
open class ASAuthorizationAccountCreationPlatformPublicKeyCredential: NSObject, ASAuthorizationCredential,
    @unchecked Sendable
{
    // Sendable: set once.
    private let contact: ASContactIdentifier
    private let registration: ASAuthorizationPlatformPublicKeyCredentialRegistration
    private let givenName: PersonNameComponents?

    package init(
        contactIdentifier: ASContactIdentifier,
        credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration, name: PersonNameComponents?
    ) {
        contact = contactIdentifier
        registration = credentialRegistration
        givenName = name
    }

    /// The e-mail address or phone number that the person chose.
    open var contactIdentifier: ASContactIdentifier { contact }

    /// The new passkey, for the server to verify.
    open var credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration { registration }

    /// The person's name, if the request asked for it.
    open var name: PersonNameComponents? { givenName }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: the credential answers one challenge, and is not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: such credentials are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// A kind of contact identifier that an app accepts for a new account.
public enum ASContactIdentifierRequest: Hashable, Codable, Sendable {
    /// An e-mail address.
    case email
    /// A phone number.
    case phoneNumber
}

/// A contact identifier that a person chose for a new account.
public enum ASContactIdentifier: Sendable {
    /// An e-mail address.
    case email(ASEmailIdentifier)
    /// A phone number.
    case phoneNumber(ASPhoneNumberIdentifier)
}

/// An e-mail address that a person chose for a new account.
public struct ASEmailIdentifier: Sendable {
    /// The address.
    public var value: String

    package init(_ value: String) {
        self.value = value
    }
}

/// A phone number that a person chose for a new account.
public struct ASPhoneNumberIdentifier: Sendable {
    /// The number.
    public var value: String

    package init(_ value: String) {
        self.value = value
    }
}
