import AccountAPI

import enum OpenAuthenticationServices.ServiceError

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
        case .unreadable(let status):
            self.init(
                .invalidResponse, "what answered \(action) with status \(status) is no account service",
                hint: "Look at the backend's URL, and at proxies before it.", cause: error, file: file, line: line)
        case .answered(let status, let code, _, _):
            if let ended = error.endOfSession {
                self = .sessionEnded(ended, cause: error, file: file, line: line)
            } else if status >= 500 || code == .rateLimited || code == .requestTimeout {
                self.init(
                    .backendUnavailable, "the account service cannot answer \(action) now (\(code))",
                    hint: "Try again later.", cause: error, file: file, line: line)
            } else {
                self.init(
                    .refused(code), "the account service refused \(action) (\(code))", hint: Self.hint(for: code),
                    cause: error, file: file, line: line)
            }
        }
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

    private static func hint(for code: ErrorCode) -> String? {
        switch code {
        case .tokenAlreadyUsed, .codeAlreadyUsed, .nonceAlreadyUsed, .challengeAlreadyUsed:
            "A credential is good for one sign-in. When an earlier answer was lost, it may have been used by that: "
                + "call signIn() again."
        case .grantRejected: "The authorization code is used, too old or another app's: call signIn() again."
        case .requiresRecentLogin: "Call reauthenticate() first: this needs a sign-in of the last five minutes."
        case .credentialMismatch: "It was another person who signed in with Apple: ask again."
        case .challengeInvalid: "The nonce must be one from reauthenticationNonce(), and not older than ten minutes."
        case .transferNotCompleted:
            "The app has moved to another team at Apple, and the account service's operator has to move its accounts."
        case .audienceMismatch: "The account service does not know this app's bundle or Services identifier."
        default: nil
        }
    }
}
