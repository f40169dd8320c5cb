public import Foundation

/// Why a web session brought no callback.
public struct ASWebAuthenticationSessionError: _BridgedStoredNSError {
    /// Apple's codes.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = ASWebAuthenticationSessionError

        /// The person or the app has ended it, or its time was over.
        case canceledLogin = 1
        /// Never comes from here: a session needs no window.
        case presentationContextNotProvided = 2
        /// The session cannot be shown or cannot come back: there is no browser, or no way for this callback.
        case presentationContextInvalid = 3
    }

    public let _nsError: NSError

    /// Takes any `NSError`; one of another domain has the code `presentationContextInvalid`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    public static var _nsErrorDomain: String { ASWebAuthenticationSessionErrorDomain }

    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }

    public var code: Code {
        guard _nsError.domain == ASWebAuthenticationSessionErrorDomain else { return .presentationContextInvalid }
        return Code(rawValue: _nsError.code) ?? .presentationContextInvalid
    }

    /// Equal errors have equal domains and codes. Foundation's own default traps off Apple's platforms.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    public static var canceledLogin: Code { .canceledLogin }
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
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
