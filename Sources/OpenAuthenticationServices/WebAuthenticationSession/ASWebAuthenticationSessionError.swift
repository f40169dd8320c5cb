public import Foundation

/// Why a web session brought no callback.
public struct ASWebAuthenticationSessionError: _BridgedStoredNSError {
    /// Apple's codes.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error that the code belongs to.
        public typealias _ErrorType = ASWebAuthenticationSessionError

        /// The person or the app has ended it, or its time was over.
        case canceledLogin = 1
        /// Never comes from here: a session needs no window.
        case presentationContextNotProvided = 2
        /// The session cannot be shown or cannot come back: there is no browser, or no way for this callback.
        case presentationContextInvalid = 3
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Takes any `NSError`; one of another domain has the code `presentationContextInvalid`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain, as Foundation's protocol asks for it.
    public static var _nsErrorDomain: String { ASWebAuthenticationSessionErrorDomain }

    /// The domain of these errors.
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }

    /// The error's code.
    public var code: Code {
        guard _nsError.domain == ASWebAuthenticationSessionErrorDomain else { return .presentationContextInvalid }
        return Code(rawValue: _nsError.code) ?? .presentationContextInvalid
    }

    /// Equal errors have equal domains and codes. Foundation's own default traps off Apple's platforms.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// The code ``Code/canceledLogin``.
    public static var canceledLogin: Code { .canceledLogin }
    /// The code ``Code/presentationContextNotProvided``.
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
    /// The code ``Code/presentationContextInvalid``.
    public static var presentationContextInvalid: Code { .presentationContextInvalid }

    init(_ code: Code, explanation: String, underlying: (any Error)? = nil) {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: code == .canceledLogin
                ? "The sign-in was cancelled." : "The sign-in could not be shown.",
            NSLocalizedFailureReasonErrorKey: explanation,
        ]
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: userInfo)
    }
}

/// The domain of ``ASWebAuthenticationSessionError`` as an `NSError`.
public let ASWebAuthenticationSessionErrorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"
