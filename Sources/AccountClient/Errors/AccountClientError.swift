public import AccountAPI
import AccountConnection

/// An error of a client's call. It equals another error with the same code.
///
/// Its description holds no token, name or address.
public struct AccountClientError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// The reason of the error, for people, in one line.
    public let reason: String
    /// A hint on what to do or to check, in one line; nil if the only advice is to try again.
    public let hint: String?
    /// The error under this one, if there is one.
    public let cause: (any Error)?
    /// The source file in which the error was made.
    public let file: String
    /// The line in which the error was made.
    public let line: UInt

    /// Makes an error, for tests of an app's own code.
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

    /// Whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}

extension AccountClientError {
    /// The kind of a failure. Newer versions may know more kinds, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: Hashable, Sendable {
            case cancelled, notSignedIn, sessionEnded, backendUnavailable, refused(ErrorCode), authorizationFailed
            case storage, notConfigured, invalidResponse
        }

        private let kind: Kind

        /// The person, the app, a newer sign-in or the calling task cancelled the call. Don't show a message.
        public static let cancelled = Self(kind: .cancelled)
        /// Nobody is signed in on this device.
        public static let notSignedIn = Self(kind: .notSignedIn)
        /// The account service has ended the session, and the client has forgotten it. The person must sign in again.
        public static let sessionEnded = Self(kind: .sessionEnded)
        /// The account service didn't answer, or is unavailable. The person stays signed in.
        public static let backendUnavailable = Self(kind: .backendUnavailable)
        /// The account service refused, and says why.
        public static func refused(_ code: ErrorCode) -> Self { Self(kind: .refused(code)) }
        /// The authorization gave no credential. The cause is an `ASAuthorizationError`.
        public static let authorizationFailed = Self(kind: .authorizationFailed)
        /// The device's secret storage cannot be read or written. The cause is a ``SecretStorageError``.
        public static let storage = Self(kind: .storage)
        /// The backend's URL, the app's name, a credential or another value of the call is missing or invalid.
        public static let notConfigured = Self(kind: .notConfigured)
        /// The response doesn't fit the request.
        public static let invalidResponse = Self(kind: .invalidResponse)

        /// The account service's error code, when the service refused.
        public var refusal: ErrorCode? {
            if case .refused(let code) = kind { code } else { nil }
        }

        /// The kind's name, without values of a request: fit for a metric's label.
        public var description: String {
            switch kind {
            case .refused(let code): "refused(\(code))"
            default: "\(kind)"
            }
        }
    }
}

extension AccountClientError {
    /// - Parameter action: what was being done, for the reason: "renewing the session".
    init(_ error: ServiceError, doing action: String, file: String = #fileID, line: UInt = #line) {
        switch error {
        case .cancelled:
            self.init(.cancelled, "cancelled while \(action)", cause: error, file: file, line: line)
        case .unreachable:
            self.init(
                .backendUnavailable, "the account service did not answer \(action)",
                hint: "Look at the network and the backend's URL.", cause: error, file: file, line: line)
        case .unsendable:
            self.init(
                .notConfigured, "the request for \(action) cannot be made",
                hint: "Check the backend's URL and the values of the call.", cause: error, file: file, line: line)
        case .unreadable(let status):
            self.init(
                .invalidResponse, "what answered \(action) with status \(status) is no account service",
                hint: "Look at the backend's URL, and at proxies before it.", cause: error, file: file, line: line)
        case .answered(let status, let code, _, let details):
            if let ended = error.endOfSession {
                self = .sessionEnded(ended, cause: error, file: file, line: line)
            } else if code == .rateLimited {
                self.init(
                    .backendUnavailable, "there were too many tries of \(action) (\(code))",
                    hint: Self.hint(toWait: details.retryAfter), cause: error, file: file, line: line)
            } else if status >= 500 && code != .mailNotConfigured || code == .requestTimeout {
                self.init(
                    .backendUnavailable, "the account service cannot answer \(action) now (\(code))",
                    hint: Self.hint(toWait: details.retryAfter), cause: error, file: file, line: line)
            } else {
                self.init(
                    .refused(code), "the account service refused \(action) (\(code))",
                    hint: Self.hint(for: code, details), cause: error, file: file, line: line)
            }
        }
    }

    /// - Parameter action: what was being done.
    static func uncertainLink(
        _ error: ServiceError, doing action: String, file: String = #fileID, line: UInt = #line
    ) -> Self {
        Self(
            .refused(.linkUnknown), "the answer to \(action) was lost, and the link is used",
            hint: "It has most likely worked: let the person sign in.", cause: error, file: file, line: line)
    }

    /// The error of a sign-in that another one, or its caller, has cancelled.
    static var superseded: Self {
        Self(.cancelled, "the sign-in was cancelled, or another one has taken its place")
    }

    /// The error of a call that was made for another session than the present one.
    static var otherSession: Self {
        Self(.cancelled, "somebody has signed in meanwhile")
    }

    static func sessionEnded(
        _ code: ErrorCode, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) -> Self {
        Self(
            .sessionEnded, "the account service has ended the session (\(code))", hint: "Call signIn() again.",
            cause: cause, file: file, line: line)
    }

    static func appleAccessEnded(
        cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) -> Self {
        Self(
            .sessionEnded, "the person has stopped using this app with their Apple Account",
            hint: "Call signIn() again.", cause: cause, file: file, line: line)
    }

    /// The consent that the account service asks for before it does what it was asked.
    var requiredConsent: RequiredConsent? {
        code == .refused(.consentRequired) ? (cause as? ServiceError)?.details?.consent : nil
    }

    /// The rule that a password broke, with the code `refused(.passwordRefused)`; nil with any other.
    public var passwordRefusal: PasswordRefusal? {
        code == .refused(.passwordRefused) ? (cause as? ServiceError)?.details?.password : nil
    }

    /// The time after which the account service takes the next call, with the code `backendUnavailable`: for example after
    /// too many wrong passwords. It is nil if the service names none.
    public var retryAfter: Duration? {
        code == .backendUnavailable ? (cause as? ServiceError)?.details?.retryAfter : nil
    }

    private static func hint(toWait time: Duration?) -> String {
        guard let time, time > .zero else { return "Try again later." }
        let (whole, rest) = time.components
        let seconds = rest > 0 ? whole + 1 : whole
        guard seconds > 120 else { return "Try again in \(seconds) second\(seconds == 1 ? "" : "s")." }
        return "Try again in \((seconds + 59) / 60) minutes."
    }

    private static func hint(for code: ErrorCode, _ details: RefusalDetails) -> String? {
        switch code {
        case .invalidRequest: details.field.map { "Look at \($0): the account service does not take its value." }
        case .tokenAlreadyUsed, .codeAlreadyUsed, .nonceAlreadyUsed, .challengeAlreadyUsed:
            "A credential is good for one sign-in. When an earlier answer was lost, it may have been used by that: "
                + "call signIn() again."
        case .grantRejected: "The authorization code is used, too old or another app's: call signIn() again."
        case .requiresRecentLogin: "Call reauthenticate() first: this needs a sign-in of the last five minutes."
        case .credentialMismatch: "It was another person who signed in with Apple: ask again."
        case .challengeInvalid:
            "The nonce must be one that the account service made for this call, such as reauthenticationNonce(), and not "
                + "older than ten minutes."
        case .transferNotCompleted:
            "The app has moved to another team at Apple, and the account service's operator has to move its accounts."
        case .audienceMismatch: "The account service does not know this app's bundle or Services identifier."
        case .consentRequired: "The person must agree to a text first: give the call a `consent` that shows it."
        case .wrongCredentials: "The email address or the password is wrong. Try again, or set a new password."
        case .passwordRefused: details.password.flatMap { hint(for: $0) }
        case .passwordsOff: "The account service offers no passwords: hide the form."
        case .linkUnknown: "The link was used or is too old: ask for another one."
        case .emailNeeded: "Ask the person for the address to which the link was sent."
        case .notByPassword: "The person has no password here."
        case .credentialAlreadyInUse:
            "The Apple Account, or the person at the provider, belongs to another account: sign in with it to use that."
        case .lastWayIn: "Nobody could sign in any more: add another way in first, or delete the account."
        case .alreadyLinked: "The account has an email address to sign in with: remove that one first."
        case .unknownProvider: "The account service offers no sign-in with this provider: hide its button."
        case .invalidProviderToken, .signInAgain: "Sign in with the provider again."
        case .mergeChanged: "The accounts have changed: show the person what a merge does once more."
        case .handleInvalid: "The handle was used or is too old: begin anew."
        case .mailNotConfigured:
            "The account service sends no mail, so nobody can confirm a contact address. Its operator can change that."
        default: nil
        }
    }

    private static func hint(for refusal: PasswordRefusal) -> String? {
        switch refusal.reason {
        case .tooShort: "A password needs \(refusal.minimumLength) characters or more."
        case .tooLong: "A password has 128 characters at most."
        case .common: "This password is a common one. Choose one that nobody guesses."
        case .personal: "This password is like the person's name, their address or the service's name."
        default: nil
        }
    }
}
