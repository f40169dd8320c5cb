public import Foundation

/// What a person has allowed: the credential, and the provider that it comes from.
///
/// Only a controller makes one; a unit test does with AuthenticationServicesTesting.
///
/// Sendable: both references never change, and what they lead to here never changes either.
open class ASAuthorization: NSObject, @unchecked Sendable {
    // Sendable: both are set once, and no class of ours that stands in them changes afterwards.
    private let givenProvider: any ASAuthorizationProvider
    private let givenCredential: any ASAuthorizationCredential

    open var provider: any ASAuthorizationProvider { givenProvider }

    /// Usually an ``ASAuthorizationAppleIDCredential``; an ``ASPasswordCredential`` when a password was asked for too.
    open var credential: any ASAuthorizationCredential { givenCredential }

    package init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        givenProvider = provider
        givenCredential = credential
    }
}
