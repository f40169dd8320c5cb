public import Foundation

/// Makes requests of one kind, and stands beside the credential in the answer to them.
public protocol ASAuthorizationProvider: NSObjectProtocol {}
