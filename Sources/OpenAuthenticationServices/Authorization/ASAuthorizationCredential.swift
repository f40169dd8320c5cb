public import Foundation

/// What a request is answered with. It can be copied and archived.
public protocol ASAuthorizationCredential: NSObjectProtocol, NSCopying, NSSecureCoding {}
