public import struct AccountAPI.ErrorCode

/// Why a client call gave no value. Equal to another error with the same code.
///
/// Its description holds no token, name or address.
public struct AccountClientError: Error, Equatable, CustomStringConvertible {
    public let code: Code
    /// For people, in one line.
    public let reason: String
    /// What to do or to look at, in one line; nil when there is nothing better than to try again.
    public let hint: String?
    public let cause: (any Error)?
    public let file: String
    public let line: UInt

    public init(
        _ code: Code, _ reason: String, hint: String? = nil, cause: (any Error)? = nil, file: String = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.hint = hint
        self.cause = cause
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { "\(code): \(reason)" }
}

extension AccountClientError {
    /// What kind of failure it is. Newer versions may know more kinds, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: Hashable, Sendable {
            case cancelled, notSignedIn, sessionEnded, backendUnavailable, refused(ErrorCode), authorizationFailed
            case storage, notConfigured, invalidResponse
        }

        private let kind: Kind

        /// The person, the app, a newer sign-in or the calling task gave up. Nothing to show to anybody.
        public static let cancelled = Self(kind: .cancelled)
        /// Nobody is signed in on this device.
        public static let notSignedIn = Self(kind: .notSignedIn)
        /// The account service has ended the session, which is forgotten here too: the person must sign in again.
        public static let sessionEnded = Self(kind: .sessionEnded)
        /// The account service did not answer, or could not now. Whoever was signed in still is.
        public static let backendUnavailable = Self(kind: .backendUnavailable)
        /// The account service refused, and says why.
        public static func refused(_ code: ErrorCode) -> Self { Self(kind: .refused(code)) }
        /// Apple, or the way to it, gave no credential. The cause is an `ASAuthorizationError`.
        public static let authorizationFailed = Self(kind: .authorizationFailed)
        /// The device's secret storage cannot be read or written. The cause is a ``SecretStorageError``.
        public static let storage = Self(kind: .storage)
        /// Backend, app or credential were not given as they must be.
        public static let notConfigured = Self(kind: .notConfigured)
        /// What came back is not what was asked for.
        public static let invalidResponse = Self(kind: .invalidResponse)

        /// The word of the account service, when it is it that refused.
        public var refusal: ErrorCode? {
            if case .refused(let code) = kind { code } else { nil }
        }

        /// Without values of a request, fit for a metric's label.
        public var description: String {
            switch kind {
            case .refused(let code): "refused(\(code))"
            default: "\(kind)"
            }
        }
    }
}
