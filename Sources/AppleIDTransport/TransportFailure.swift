import HTTPTypes

/// An error that says why a server gave no whole response: the server's name, and the cause.
///
/// The description holds these two and nothing else: no path, no query and no credential.
public struct TransportFailure: Error, CustomStringConvertible {
    /// The host in the request's URL, with the port if the URL names one.
    public let host: String
    /// The reason why no response arrived.
    public let cause: Cause
    /// The HTTP client's own error. It may quote the request, so it is not for logs.
    public let underlying: any Error

    /// Creates a failure; a transport of your own throws it.
    public init(host: String, cause: Cause, underlying: any Error) {
        self.host = host
        self.cause = cause
        self.underlying = underlying
    }

    /// The cause and the host. Fit for logs.
    public var description: String { "\(cause): \(host)" }

    /// A reason why no response arrived. Its description is the snake_case word for logs. Later versions may add
    /// causes.
    public struct Cause: Hashable, Sendable, CustomStringConvertible {
        /// Every cause there is, so that the compiler misses none where each is decided.
        package enum Value: String, CaseIterable {
            case nameNotFound = "name_not_found"
            case connectionRefused = "connection_refused"
            case unreachable
            case connectTimedOut = "connect_timed_out"
            case answerTimedOut = "answer_timed_out"
            case certificateExpired = "certificate_expired"
            case certificateNotYetValid = "certificate_not_yet_valid"
            case certificateNotTrusted = "certificate_not_trusted"
            case certificateWrongHost = "certificate_wrong_host"
            case tlsFailed = "tls_failed"
            case closedEarly = "closed_early"
            case malformedAnswer = "malformed_answer"
            case other
        }

        package let value: Value

        private init(value: Value) {
            self.value = value
        }

        /// The snake_case word for logs, which stays the same in later versions.
        public var description: String { value.rawValue }

        /// The host's name doesn't resolve, or no name server answered.
        public static let nameNotFound = Self(value: .nameNotFound)
        /// Nothing listens at the address, or a firewall refuses the connection.
        public static let connectionRefused = Self(value: .connectionRefused)
        /// There is no route to the address.
        public static let unreachable = Self(value: .unreachable)
        /// The address didn't answer, as behind a firewall that drops packets; or the TLS handshake took too long.
        public static let connectTimedOut = Self(value: .connectTimedOut)
        /// The connection was there, and the response wasn't complete within the time limit.
        public static let answerTimedOut = Self(value: .answerTimedOut)
        /// A certificate of the server's has expired, or this server's clock is ahead.
        public static let certificateExpired = Self(value: .certificateExpired)
        /// A certificate of the server's isn't valid yet, or this server's clock is behind.
        public static let certificateNotYetValid = Self(value: .certificateNotYetValid)
        /// The server's certificate comes from nobody that this machine trusts.
        public static let certificateNotTrusted = Self(value: .certificateNotTrusted)
        /// The server's certificate is for another name.
        public static let certificateWrongHost = Self(value: .certificateWrongHost)
        /// The TLS handshake failed for another reason, as when the server doesn't speak TLS.
        public static let tlsFailed = Self(value: .tlsFailed)
        /// The server closed the connection before the response was complete.
        public static let closedEarly = Self(value: .closedEarly)
        /// The response isn't HTTP, is larger than the limit, or was redirected.
        public static let malformedAnswer = Self(value: .malformedAnswer)
        /// Anything else; ``TransportFailure/underlying`` says more.
        public static let other = Self(value: .other)
    }

    /// Finds the failure behind an error; nil if no transport reported one.
    package init?(in error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let error as any CodedError:
            guard let cause = error.cause, let failure = TransportFailure(in: cause) else { return nil }
            self = failure
        default: return nil
        }
    }
}

extension AppleRequest {
    /// The host as a ``TransportFailure`` and the log name it, with the port if the URL names one.
    package var host: String { head.authority ?? "" }
}
