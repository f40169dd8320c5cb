public import Foundation

/// A request to change the way in which a person signs in to an account. Use one of its subclasses.
///
/// Sendable: its stored properties are constants. The values in the user info are the app's own: nothing here reads them,
/// and the delegate gets them back on the main actor.
open class ASAccountAuthenticationModificationRequest: NSObject, @unchecked Sendable {
    private let givenUser: String
    private let givenIdentifier: ASCredentialServiceIdentifier
    private let givenUserInfo: [AnyHashable: Any]?

    /// The name with which the person signs in: the email address.
    open var user: String { givenUser }

    /// The service that the account belongs to.
    open var serviceIdentifier: ASCredentialServiceIdentifier { givenIdentifier }

    /// Values of the app's own. Nothing here looks at them.
    open var userInfo: [AnyHashable: Any]? { givenUserInfo }

    init(given user: String, _ serviceIdentifier: ASCredentialServiceIdentifier, _ userInfo: [AnyHashable: Any]?) {
        givenUser = user
        givenIdentifier = serviceIdentifier
        givenUserInfo = userInfo
    }
}

/// A request to replace a person's password by Sign in with Apple.
///
/// On Apple's systems the app's extension does it. Here an installed `AccountClient` does, with the password that it has
/// saved for the user: it proves who is there, asks them to sign in with Apple, and has the account service upgrade the
/// account. The service that is asked is the client's own, whatever the service identifier says.
open class ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest:
    ASAccountAuthenticationModificationRequest, @unchecked Sendable
{
    // Sendable: the class adds no stored property to its superclass, which is Sendable.

    /// Makes a request.
    /// - Parameters:
    ///   - user: The name with which the person signs in: the email address.
    ///   - serviceIdentifier: The service that the account belongs to.
    ///   - userInfo: Values of the app's own.
    public init(user: String, serviceIdentifier: ASCredentialServiceIdentifier, userInfo: [AnyHashable: Any]?) {
        super.init(given: user, serviceIdentifier, userInfo)
    }
}

/// A request to replace a weak password by a strong one. Only Apple's systems perform it.
open class ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest:
    ASAccountAuthenticationModificationRequest, @unchecked Sendable
{
    // Sendable: the class adds no stored property to its superclass, which is Sendable.

    /// Makes a request.
    /// - Parameters:
    ///   - user: The name with which the person signs in: the email address.
    ///   - serviceIdentifier: The service that the account belongs to.
    ///   - userInfo: Values of the app's own.
    public init(user: String, serviceIdentifier: ASCredentialServiceIdentifier, userInfo: [AnyHashable: Any]?) {
        super.init(given: user, serviceIdentifier, userInfo)
    }
}

/// Names the service that a credential is for.
///
/// Sendable: both stored properties are constants of Sendable types.
open class ASCredentialServiceIdentifier: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let givenIdentifier: String
    private let givenType: IdentifierType

    /// The kind of identifier.
    public enum IdentifierType: Int, Sendable {
        /// A domain name.
        case domain = 0
        /// A URL.
        case URL = 1
    }

    /// Makes an identifier.
    public init(identifier: String, type: IdentifierType) {
        givenIdentifier = identifier
        givenType = type
    }

    /// The domain name or URL.
    open var identifier: String { givenIdentifier }

    /// The kind of identifier.
    open var type: IdentifierType { givenType }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true: identifiers are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes both values.
    open func encode(with coder: NSCoder) {
        coder.encode(givenIdentifier as NSString, forKey: "identifier")
        coder.encode(givenType.rawValue, forKey: "type")
    }

    /// Nil unless both are there.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
            let type = IdentifierType(rawValue: coder.decodeInteger(forKey: "type"))
        else { return nil }
        givenIdentifier = identifier as String
        givenType = type
    }
}
