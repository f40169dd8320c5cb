public import Foundation

/// A user name and a password that the person has kept for this app.
///
/// Sendable: both stored properties are constant texts.
open class ASPasswordCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    // Sendable: both are set once.
    private let keptUser: String
    private let keptPassword: String

    /// Makes a credential of a user name and a password.
    public init(user: String, password: String) {
        keptUser = user
        keptPassword = password
    }

    /// The user name.
    open var user: String { keptUser }

    /// The password that is kept for the user.
    open var password: String { keptPassword }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true: credentials are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the password in plain text: such an archive belongs in a keyring.
    open func encode(with coder: NSCoder) {
        coder.encode(keptUser as NSString, forKey: "user")
        coder.encode(keptPassword as NSString, forKey: "password")
    }

    /// Nil unless both are there.
    public required init?(coder: NSCoder) {
        guard
            let user = coder.decodeObject(of: NSString.self, forKey: "user"),
            let password = coder.decodeObject(of: NSString.self, forKey: "password")
        else { return nil }
        keptUser = user as String
        keptPassword = password as String
    }
}
