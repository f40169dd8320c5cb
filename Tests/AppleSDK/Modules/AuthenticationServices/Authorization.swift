// Requests, providers, credentials, the controller and its protocols. Baseline where nothing else is said: iOS 13,
// macOS 10.15, tvOS 13, watchOS 6, visionOS 1, which is older than what the manifest asks for.

@_exported public import Foundation
// With Foundation come random bytes and their status.
@_exported public import Security

#if canImport(AppKit)
    public import AppKit
    // authenticationservices/aspresentationanchor
    public typealias ASPresentationAnchor = NSWindow
#elseif canImport(UIKit) && !os(watchOS)
    public import UIKit
    public typealias ASPresentationAnchor = UIWindow
#endif

// authenticationservices/asauthorizationprovider
public protocol ASAuthorizationProvider: NSObjectProtocol {}
// authenticationservices/asauthorizationcredential
public protocol ASAuthorizationCredential: NSObjectProtocol, NSCopying, NSSecureCoding {}

// authenticationservices/asauthorization
open class ASAuthorization: NSObject, @unchecked Sendable {
    // authenticationservices/asauthorization/provider
    open var provider: any ASAuthorizationProvider { fatalError() }
    // authenticationservices/asauthorization/credential
    open var credential: any ASAuthorizationCredential { fatalError() }

    // authenticationservices/asauthorization/scope
    public struct Scope: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
        public static let fullName = Scope("full_name")
        public static let email = Scope("email")
    }

    // authenticationservices/asauthorization/openidoperation
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
        public static let operationImplicit = OpenIDOperation("implicit")
        public static let operationLogin = OpenIDOperation("login")
        public static let operationRefresh = OpenIDOperation("refresh")
        public static let operationLogout = OpenIDOperation("logout")
    }
}

// authenticationservices/asauthorizationrequest
open class ASAuthorizationRequest: NSObject, @unchecked Sendable {
    open var provider: any ASAuthorizationProvider { fatalError() }
}

// authenticationservices/asauthorizationopenidrequest
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest, @unchecked Sendable {
    open var requestedScopes: [ASAuthorization.Scope]?
    open var state: String?
    open var nonce: String?
    open var requestedOperation = ASAuthorization.OpenIDOperation.operationImplicit
}

// authenticationservices/asauthorizationappleidrequest
open class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest, @unchecked Sendable {
    open var user: String?
}

// authenticationservices/asauthorizationpasswordrequest
@available(tvOS 15.0, *)
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest, @unchecked Sendable {}

// authenticationservices/asauthorizationappleidprovider
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    public override init() { super.init() }
    // authenticationservices/asauthorizationappleidprovider/createrequest()
    open func createRequest() -> ASAuthorizationAppleIDRequest { fatalError() }
    // authenticationservices/asauthorizationappleidprovider/getcredentialstate(foruserid:completion:)
    open func getCredentialState(
        forUserID userID: String, completion: @escaping @Sendable (CredentialState, (any Error)?) -> Void
    ) {}
    open func credentialState(forUserID userID: String) async throws -> CredentialState { .notFound }
    // authenticationservices/asauthorizationappleidprovider/credentialrevokednotification
    open class var credentialRevokedNotification: NSNotification.Name { NSNotification.Name("") }
    // authenticationservices/asauthorizationappleidprovider/credentialstate
    @nonexhaustive public enum CredentialState: Int, Sendable { case revoked, authorized, notFound, transferred }
}

// authenticationservices/asauthorizationpasswordprovider
@available(tvOS 15.0, *)
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    public override init() { super.init() }
    open func createRequest() -> ASAuthorizationPasswordRequest { fatalError() }
}

// authenticationservices/asauthorizationappleidcredential
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    public required init?(coder: NSCoder) { fatalError() }
    public static var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var user: String { "" }
    open var state: String? { nil }
    open var authorizedScopes: [ASAuthorization.Scope] { [] }
    open var authorizationCode: Data? { nil }
    open var identityToken: Data? { nil }
    open var email: String? { nil }
    open var fullName: PersonNameComponents? { nil }
    open var realUserStatus: ASUserDetectionStatus { .unknown }
    // authenticationservices/asauthorizationappleidcredential/useragerange
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    open var userAgeRange: ASUserAgeRange { .unknown }
}

// authenticationservices/asuserdetectionstatus
@nonexhaustive public enum ASUserDetectionStatus: Int, Sendable { case unsupported, unknown, likelyReal }
// authenticationservices/asuseragerange
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
@nonexhaustive public enum ASUserAgeRange: Int, Sendable { case unknown, child, notChild }

// authenticationservices/aspasswordcredential
@available(tvOS 15.0, *)
open class ASPasswordCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    public init(user: String, password: String) {}
    public required init?(coder: NSCoder) { fatalError() }
    public static var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var user: String { "" }
    open var password: String { "" }
}

// authenticationservices/asauthorizationcontroller
open class ASAuthorizationController: NSObject {
    // authenticationservices/asauthorizationcontroller/init(authorizationrequests:)
    public init(authorizationRequests: [ASAuthorizationRequest]) {}
    open var authorizationRequests: [ASAuthorizationRequest] { [] }
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    #if canImport(AppKit) || canImport(UIKit) && !os(watchOS)
        // authenticationservices/asauthorizationcontroller/presentationcontextprovider: not on watchOS
        open weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    #endif
    // authenticationservices/asauthorizationcontroller/performrequests()
    open func performRequests() {}
    // authenticationservices/asauthorizationcontroller/performrequests(options:)
    @available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func performRequests(options: RequestOptions) {}
    // authenticationservices/asauthorizationcontroller/performautofillassistedrequests()
    @available(iOS 16.0, visionOS 1.0, *)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func performAutoFillAssistedRequests() {}
    // authenticationservices/asauthorizationcontroller/cancel()
    @available(iOS 16.0, macOS 13.0, tvOS 18.0, visionOS 1.0, *)
    @available(watchOS, unavailable)
    open func cancel() {}

    // authenticationservices/asauthorizationcontroller/requestoptions
    @available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public struct RequestOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var preferImmediatelyAvailableCredentials: RequestOptions { RequestOptions(rawValue: 1) }
    }
}

// authenticationservices/asauthorizationcontrollerdelegate: both methods are optional, which the extension stands for
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    // authenticationservices/asauthorizationcontrollerdelegate/authorizationcontroller(controller:didcompletewithauthorization:)
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
    // authenticationservices/asauthorizationcontrollerdelegate/authorizationcontroller(controller:didcompletewitherror:)
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}
extension ASAuthorizationControllerDelegate {
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}

#if canImport(AppKit) || canImport(UIKit) && !os(watchOS)
    // authenticationservices/asauthorizationcontrollerpresentationcontextproviding
    @MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
    }
#endif
