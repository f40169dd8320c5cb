// The extension that changes how a person signs in: iOS 14, visionOS 1, and ignored in Mac Catalyst.

public import Foundation

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import UIKit

    // authenticationservices/asaccountauthenticationmodificationviewcontroller
    @preconcurrency @MainActor open class ASAccountAuthenticationModificationViewController: UIViewController {
        // authenticationservices/asaccountauthenticationmodificationviewcontroller/extensioncontext
        open var extensionContext: ASAccountAuthenticationModificationExtensionContext {
            ASAccountAuthenticationModificationExtensionContext()
        }
        // authenticationservices/…/convertaccounttosigninwithapplewithoutuserinteraction(for:existingcredential:userinfo:)
        open func convertAccountToSignInWithAppleWithoutUserInteraction(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            userInfo: [AnyHashable: Any]? = nil
        ) {}
    }

    // authenticationservices/asaccountauthenticationmodificationextensioncontext
    open class ASAccountAuthenticationModificationExtensionContext: NSObject {
        open func getSignInWithAppleUpgradeAuthorization(
            state: String?, nonce: String?,
            completionHandler: @escaping (ASAuthorizationAppleIDCredential?, (any Error)?) -> Void
        ) {}
        open func completeUpgradeToSignInWithApple(userInfo: [AnyHashable: Any]? = nil) {}
        open func cancelRequest(withError error: any Error) {}
    }

    // authenticationservices/ascredentialserviceidentifier: iOS 12, macOS 11
    open class ASCredentialServiceIdentifier: NSObject {
        open var identifier: String { "" }
    }

    // authenticationservices/asextensionerror-swift.struct, asextensionlocalizedfailurereasonerrorkey
    public let ASExtensionLocalizedFailureReasonErrorKey = ""
    public struct ASExtensionError: CustomNSError, Error, Hashable, @unchecked Sendable {
        public init(_ code: Code, userInfo: [String: Any] = [:]) { _nsError = NSError(domain: "", code: 0) }
        public let _nsError: NSError
        public var code: Code { .failed }
        // authenticationservices/asextensionerror-swift.struct/code
        @nonexhaustive public enum Code: Int, Sendable {
            case failed = 0
            case userCanceled = 1
            case userInteractionRequired = 100
            case credentialIdentityNotFound = 101
        }
    }
#endif
