public import Foundation

/// The credential of a person who has signed in with Apple.
///
/// Name and e-mail address come with the first authorization alone: keep them then. Accounts are keyed on ``user``.
///
/// Sendable: its one stored property is a constant of Sendable values.
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    // Sendable: one value, set once.
    package let values: AppleIDCredentialValues

    package init(_ values: AppleIDCredentialValues) {
        self.values = values
    }

    /// Stable for one developer team; the `sub` of ``identityToken``.
    open var user: String { values.user }

    /// The request's own, unchanged.
    open var state: String? { values.state }

    /// The scopes that the person has granted, which may be fewer than were asked for.
    open var authorizedScopes: [ASAuthorization.Scope] { values.authorizedScopes }

    /// The authorization code for the app's server: good once, for about five minutes.
    open var authorizationCode: Data? { values.authorizationCode }

    /// A JWT in UTF-8, signed by Apple.
    open var identityToken: Data? { values.identityToken }

    /// Real or a relay address; nil after the first authorization.
    open var email: String? { values.email }

    /// The name as the person typed it; nil after the first authorization.
    open var fullName: PersonNameComponents? { values.fullName }

    /// Apple's guess whether there is a real person.
    open var realUserStatus: ASUserDetectionStatus { values.realUserStatus }

    /// Whether the person is a child.
    open var userAgeRange: ASUserAgeRange { values.userAgeRange }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true: credentials are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the credential to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(values.user as NSString, forKey: Key.user)
        coder.encode(values.state as NSString?, forKey: Key.state)
        coder.encode(values.authorizedScopes.map { $0.rawValue as NSString } as NSArray, forKey: Key.authorizedScopes)
        coder.encode(values.authorizationCode as NSData?, forKey: Key.authorizationCode)
        coder.encode(values.identityToken as NSData?, forKey: Key.identityToken)
        coder.encode(values.email as NSString?, forKey: Key.email)
        coder.encode(values.fullName as NSPersonNameComponents?, forKey: Key.fullName)
        coder.encode(values.realUserStatus.rawValue, forKey: Key.realUserStatus)
        coder.encode(values.userAgeRange.rawValue, forKey: Key.userAgeRange)
    }

    /// Nil without a user.
    public required init?(coder: NSCoder) {
        guard let user = coder.decodeObject(of: NSString.self, forKey: Key.user) else { return nil }
        let scopes = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Key.authorizedScopes) as? [String]
        values = AppleIDCredentialValues(
            user: user as String,
            state: coder.decodeObject(of: NSString.self, forKey: Key.state) as String?,
            authorizedScopes: (scopes ?? []).map { ASAuthorization.Scope($0) },
            authorizationCode: coder.decodeObject(of: NSData.self, forKey: Key.authorizationCode) as Data?,
            identityToken: coder.decodeObject(of: NSData.self, forKey: Key.identityToken) as Data?,
            email: coder.decodeObject(of: NSString.self, forKey: Key.email) as String?,
            fullName: coder.decodeObject(of: NSPersonNameComponents.self, forKey: Key.fullName)
                as PersonNameComponents?,
            realUserStatus: ASUserDetectionStatus(rawValue: coder.decodeInteger(forKey: Key.realUserStatus))
                ?? .unsupported,
            userAgeRange: ASUserAgeRange(rawValue: coder.decodeInteger(forKey: Key.userAgeRange)) ?? .unknown)
    }

    private enum Key {
        static let user = "user"
        static let state = "state"
        static let authorizedScopes = "authorizedScopes"
        static let authorizationCode = "authorizationCode"
        static let identityToken = "identityToken"
        static let email = "email"
        static let fullName = "fullName"
        static let realUserStatus = "realUserStatus"
        static let userAgeRange = "userAgeRange"
    }
}

/// Apple's guess whether there is a real person. A hint: nobody should be turned away on it.
public enum ASUserDetectionStatus: Int, Sendable {
    /// Nothing is known; always so off Apple's platforms, since only devices make the guess.
    case unsupported = 0
    /// Apple cannot tell.
    case unknown = 1
    /// Apple takes the user for a real person.
    case likelyReal = 2
}

/// Whether the person is a child, as far as Apple's device tells it.
public enum ASUserAgeRange: Int, Sendable {
    /// Always so off Apple's platforms.
    case unknown = 0
    /// The person is a child.
    case child = 1
    /// The person is no child.
    case notChild = 2
}

/// The values that a credential is made of.
package struct AppleIDCredentialValues: Sendable {
    package var user: String
    package var state: String?
    /// The granted scopes, not those that were asked for.
    package var authorizedScopes: [ASAuthorization.Scope]
    package var authorizationCode: Data?
    package var identityToken: Data?
    package var email: String?
    package var fullName: PersonNameComponents?
    package var realUserStatus: ASUserDetectionStatus
    package var userAgeRange: ASUserAgeRange

    package init(
        user: String, state: String? = nil, authorizedScopes: [ASAuthorization.Scope] = [],
        authorizationCode: Data? = nil, identityToken: Data? = nil, email: String? = nil,
        fullName: PersonNameComponents? = nil, realUserStatus: ASUserDetectionStatus = .unsupported,
        userAgeRange: ASUserAgeRange = .unknown
    ) {
        self.user = user
        self.state = state
        self.authorizedScopes = authorizedScopes
        self.authorizationCode = authorizationCode
        self.identityToken = identityToken
        self.email = email
        self.fullName = fullName
        self.realUserStatus = realUserStatus
        self.userAgeRange = userAgeRange
    }
}
