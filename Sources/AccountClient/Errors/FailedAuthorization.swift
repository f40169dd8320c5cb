import AccountConnection
import Foundation

/// The content of an authorization's error, of Apple's type or of ours. Both types number their codes alike.
///
/// Apple's names for the numbers are not on every system. `notInteractive` is missing on tvOS and watchOS.
struct FailedAuthorization {
    /// The raw value of an `ASAuthorizationError.Code`.
    var number: Int
    var reason: String
    var cause: any Error
    /// The account service's own failure, where a browser or a code was the way.
    var service: ServiceError?
    var isServiceUnavailable = false

    static let unknown = 1000
    static let canceled = 1001
    static let invalidResponse = 1002
    static let notHandled = 1003
    static let notInteractive = 1005
}

extension FailedAuthorization {
    /// - Parameter userInfo: the error's own, in which Foundation keeps a reason for people.
    init(number: Int, userInfo: [String: Any], cause: any Error) {
        let reason = userInfo[NSLocalizedFailureReasonErrorKey] as? String
        self.init(number: number, reason: reason ?? cause.localizedDescription, cause: cause)
    }

    var code: AccountClientError.Code {
        switch number {
        case _ where isServiceUnavailable: .backendUnavailable
        case Self.notHandled: .notConfigured
        case Self.invalidResponse: .invalidResponse
        default: .authorizationFailed
        }
    }

    var hint: String? {
        switch number {
        case Self.unknown:
            "On Apple's platforms: is the device signed in to an Apple Account, and is the capability set?"
        case Self.notHandled: "Look at the backend's URL and the app's name."
        case Self.notInteractive: "Without a browser on this machine, choose the device flow."
        default: nil
        }
    }
}

extension AccountClientError {
    init(_ failure: FailedAuthorization, file: String = #fileID, line: UInt = #line) {
        guard failure.number != FailedAuthorization.canceled else {
            self.init(.cancelled, failure.reason, cause: failure.cause, file: file, line: line)
            return
        }
        if let service = failure.service {
            self.init(service, doing: "asking for an authorization", file: file, line: line)
            return
        }
        self.init(
            failure.code, failure.reason, hint: failure.hint, cause: failure.cause, file: file, line: line)
    }
}
