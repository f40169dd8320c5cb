public import Foundation

/// An error of an authorization.
///
/// ``Code/canceled`` deserves no alert. `localizedDescription` is a sentence for people; ``reason`` tells apart what
/// the code does not.
public struct ASAuthorizationError: _BridgedStoredNSError {
    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Takes any `NSError`; one of another domain has the code `unknown`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain, as Foundation's protocol asks for it.
    public static var _nsErrorDomain: String { ASAuthorizationErrorDomain }

    /// The domain of these errors.
    public static var errorDomain: String { ASAuthorizationErrorDomain }

    /// The error's code; `unknown` for a number without a name here.
    public var code: Code {
        guard _nsError.domain == ASAuthorizationErrorDomain else { return .unknown }
        return Code(rawValue: _nsError.code) ?? .unknown
    }

    /// Feeds domain and code to the hasher, in which equal errors agree. Foundation's own default traps off Apple's platforms.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/canceled``.
    public static var canceled: Code { .canceled }
    /// The code ``Code/invalidResponse``.
    public static var invalidResponse: Code { .invalidResponse }
    /// The code ``Code/notHandled``.
    public static var notHandled: Code { .notHandled }
    /// The code ``Code/failed``.
    public static var failed: Code { .failed }
    /// The code ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
    /// The code ``Code/matchedExcludedCredential``.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// The code ``Code/credentialImport``.
    public static var credentialImport: Code { .credentialImport }
    /// The code ``Code/credentialExport``.
    public static var credentialExport: Code { .credentialExport }
    /// The code ``Code/preferSignInWithApple``.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// The code ``Code/deviceNotConfiguredForPasskeyCreation``.
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }
}

/// The domain of ``ASAuthorizationError`` as an `NSError`.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

extension ASAuthorizationError {
    /// Apple's codes. Of the last five, only ``preferSignInWithApple`` comes from here: the others speak of passkeys and of
    /// moving credentials.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error that the code belongs to.
        public typealias _ErrorType = ASAuthorizationError

        /// The authorization failed for an unknown reason.
        case unknown = 1000
        /// The person, the app or the time limit has ended the request, or there is no credential without asking the person.
        case canceled = 1001
        /// The account service's answer doesn't fit the request.
        case invalidResponse = 1002
        /// The request was not handled, for instance because no account service is configured, or because only Apple's systems
        /// perform requests of its kind.
        case notHandled = 1003
        /// The authorization failed; the reason says more.
        case failed = 1004
        /// There is no way to ask the person from here.
        case notInteractive = 1005
        /// A passkey exists already. Never comes from here.
        case matchedExcludedCredential = 1006
        /// Credentials could not be imported. Never comes from here.
        case credentialImport = 1007
        /// Credentials could not be exported. Never comes from here.
        case credentialExport = 1008
        /// No account can be created with a passkey: sign in with Apple instead. The answer to a request of
        /// ``ASAuthorizationAccountCreationProvider``.
        case preferSignInWithApple = 1009
        /// Passkeys cannot be made. Never comes from here.
        case deviceNotConfiguredForPasskeyCreation = 1010
    }
}
