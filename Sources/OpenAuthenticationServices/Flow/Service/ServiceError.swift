package import AccountAPI

/// Why a call of the account service gave no value. It stands under the errors that an app sees, as their cause.
package enum ServiceError: Error {
    /// The service refused. `message` is for developers; `retryAfter` is how long it asks to be left alone.
    case answered(status: Int, code: ErrorCode, message: String, retryAfter: Duration?)
    /// No answer came; the cause is a `URLError` with Foundation's client.
    case unreachable(any Error)
    /// What came is no answer of an account service.
    case unreadable(status: Int)
    /// The calling task was cancelled.
    case cancelled

    /// The word of the service, when it spoke.
    package var code: ErrorCode? {
        if case .answered(_, let code, _, _) = self { code } else { nil }
    }
}

extension ServiceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .answered(let status, let code, let message, _): "\(status) \(code): \(message)"
        case .unreachable(let cause): "the account service cannot be reached: \(cause)"
        case .unreadable(let status): "status \(status) and a body that is not an account service's"
        case .cancelled: "cancelled"
        }
    }
}
