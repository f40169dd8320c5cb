// authenticationservices/asauthorizationerror-swift.struct, asauthorizationerrordomain

public import Foundation

public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

public struct ASAuthorizationError: CustomNSError, Error, Hashable, @unchecked Sendable {
    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.init(_nsError: NSError(domain: "", code: 0)) }
    public init(_nsError: NSError) { self._nsError = _nsError }
    public let _nsError: NSError
    public static var errorDomain: String { ASAuthorizationErrorDomain }
    public var code: Code { .unknown }
    public var errorCode: Int { 0 }
    public var userInfo: [String: Any] { [:] }
    public var errorUserInfo: [String: Any] { [:] }

    // authenticationservices/asauthorizationerror-swift.struct/code
    @nonexhaustive public enum Code: Int, Sendable {
        case unknown = 1000
        case canceled = 1001
        case invalidResponse = 1002
        case notHandled = 1003
        case failed = 1004
        // authenticationservices/asauthorizationerror-swift.struct/code/notinteractive
        @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case notInteractive = 1005
        @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case matchedExcludedCredential = 1006
        @available(iOS 18.2, macOS 15.2, visionOS 2.2, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case credentialImport = 1007
        @available(iOS 18.2, macOS 15.2, visionOS 2.2, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case credentialExport = 1008
        @available(iOS 26.0, macOS 26.0, visionOS 26.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case preferSignInWithApple = 1009
        @available(iOS 26.0, macOS 26.0, visionOS 26.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    public static var unknown: Code { .unknown }
    public static var canceled: Code { .canceled }
    public static var invalidResponse: Code { .invalidResponse }
    public static var notHandled: Code { .notHandled }
    public static var failed: Code { .failed }
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var notInteractive: Code { .notInteractive }
}

// `catch ASAuthorizationError.canceled`, as for every imported error
public func ~= (match: ASAuthorizationError.Code, error: any Error) -> Bool { false }
