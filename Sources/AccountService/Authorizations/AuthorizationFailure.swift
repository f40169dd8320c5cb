import AppleID

/// Why an authorization came to no credential, in a word that the redirect carries as `error`. The words are those of
/// the wire's error codes.
public struct AuthorizationFailure: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// The person pressed Cancel at Apple.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The person did not allow the device.
    public static let denied = Self(rawValue: "denied")
    /// The person came back from Apple when the time of the authorization was over.
    public static let expired = Self(rawValue: "expired")
    /// The app gave up; no browser is sent anywhere with this.
    public static let withdrawn = Self(rawValue: "withdrawn")
    /// A fault of this server, of which the log knows more.
    public static let `internal` = Self(rawValue: "internal")
}

extension AuthorizationFailure {
    /// The codes of ours that say something to an app; they are spelt as on the wire.
    private static let told: [AccountError.Code] = [
        .cancelled, .refusedByApple, .identityTokenMissing, .codeMissing, .identityMismatch, .tokenTooOld,
        .transferNotCompleted, .configuration, .unavailable,
    ]

    init(_ error: any Error) {
        switch error {
        case let error as AccountError where Self.told.contains(error.code):
            self.init(rawValue: error.code.description)
        case let error as AppleIDError where error.isOfMalformedAnswer:
            self.init(rawValue: "apple_malformed_answer")
        case let error as AppleIDError where error.code == .exchangeOutcomeUnknown:
            // What the app may know is what happened at Apple's end.
            self.init((error.cause as? AppleIDError) ?? AppleIDError(.appleUnavailable, error.reason))
        case let error as AppleIDError where error.kind == .configuration:
            self.init(rawValue: "apple_configuration")
        case let error as AppleIDError:
            self.init(rawValue: error.code.description)
        default:
            self = .internal
        }
    }
}
