public import Foundation

/// An authorization that a person has given: the credential, and the provider that it comes from.
///
/// Only a controller makes one; a unit test does with AuthenticationServicesTesting.
///
/// Sendable: both references never change, and what they lead to here never changes either.
open class ASAuthorization: NSObject, @unchecked Sendable {
    // Sendable: both are set once, and no class of ours that stands in them changes afterwards.
    private let givenProvider: any ASAuthorizationProvider
    private let givenCredential: any ASAuthorizationCredential

    /// The provider of the request that was answered.
    open var provider: any ASAuthorizationProvider { givenProvider }

    /// Usually an ``ASAuthorizationAppleIDCredential``; an ``ASPasswordCredential`` when a password was asked for too.
    open var credential: any ASAuthorizationCredential { givenCredential }

    package init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        givenProvider = provider
        givenCredential = credential
    }
}

/// A credential that answers a request. It can be copied and archived.
public protocol ASAuthorizationCredential: NSObjectProtocol, NSCopying, NSSecureCoding {}

/// Makes requests of one kind, and stands beside the credential in the answer to them.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

extension ASAuthorization {
    /// Something about the person that a request asks for.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        /// Apple's word.
        public let rawValue: String

        /// Makes a value of Apple's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a value of Apple's word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person's name, which Apple tells at the first authorization alone.
        public static let fullName = Self("full_name")
        /// The person's e-mail address, or a relay's.
        public static let email = Self("email")
    }
}

extension ASAuthorization {
    /// The operation that a request asks for.
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        /// Apple's word.
        public let rawValue: String

        /// Makes a value of Apple's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a value of Apple's word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// Signs in or registers, whichever fits. It is the only operation that is reliable on Apple's platforms too.
        public static let operationImplicit = Self("implicit")
        /// Signs in; works as ``operationImplicit`` does.
        public static let operationLogin = Self("login")
        /// Is answered without asking the person, or not at all.
        public static let operationRefresh = Self("refresh")
        /// Refused with ``ASAuthorizationError/Code/notHandled``: to sign out is the app's own affair.
        public static let operationLogout = Self("logout")
    }
}
