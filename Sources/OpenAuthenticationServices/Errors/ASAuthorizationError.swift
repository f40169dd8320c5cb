public import Foundation

/// Why there is no authorization.
///
/// ``Code/canceled`` deserves no alert. `localizedDescription` is a sentence for people; ``reason`` tells apart what
/// the code does not.
public struct ASAuthorizationError: _BridgedStoredNSError {
    public let _nsError: NSError

    /// Takes any `NSError`; one of another domain has the code `unknown`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    public static var _nsErrorDomain: String { ASAuthorizationErrorDomain }

    public static var errorDomain: String { ASAuthorizationErrorDomain }

    /// `unknown` for a number without a name here.
    public var code: Code {
        guard _nsError.domain == ASAuthorizationErrorDomain else { return .unknown }
        return Code(rawValue: _nsError.code) ?? .unknown
    }

    /// Equal errors have equal domains and codes. Foundation's own default traps off Apple's platforms.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    public static var unknown: Code { .unknown }
    public static var canceled: Code { .canceled }
    public static var invalidResponse: Code { .invalidResponse }
    public static var notHandled: Code { .notHandled }
    public static var failed: Code { .failed }
    public static var notInteractive: Code { .notInteractive }
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    public static var credentialImport: Code { .credentialImport }
    public static var credentialExport: Code { .credentialExport }
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }
}
