package import Foundation

/// What a credential is made of.
package struct AppleIDCredentialValues: Sendable {
    package var user: String
    package var state: String?
    /// What was granted, not what was asked for.
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
