import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

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

    /// For transports; ``AsyncHTTPTransport`` makes its own.
    public init(host: String, cause: Cause, underlying: any Error) {
        self.host = host
        self.cause = cause
        self.underlying = underlying
    }

    /// Fit for logs.
    public var description: String { "\(cause): \(host)" }

    /// A reason why no response arrived. Later versions may add causes. The description is the snake_case word for logs.
    public struct Cause: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
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

        private let value: Value

        private init(value: Value) {
            self.value = value
        }

        /// Stays the same in later versions.
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

        /// Finds the cause of an error of AsyncHTTPClient's or NIO's.
        package init(of error: any Error) {
            switch error {
            case let failure as TransportFailure: self = failure.cause
            case let error as HTTPClientError: self = Self.cause(of: error)
            case let error as NIOConnectionError: self = Self.cause(of: error)
            case is SocketAddressError: self = .nameNotFound
            case let error as IOError: self = Self.cause(of: error)
            case ChannelError.connectTimeout: self = .connectTimedOut
            case is ChannelError: self = .closedEarly
            case let error as NIOSSLError: self = Self.cause(of: error)
            case let error as NIOSSLExtraError:
                self = error == .failedToValidateHostname ? .certificateWrongHost : .tlsFailed
            case HTTPParserError.invalidEOFState: self = .closedEarly
            case is HTTPParserError, is NIOTooManyBytesError: self = .malformedAnswer
            default: self = .other
            }
        }

        private static func cause(of error: HTTPClientError) -> Self {
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout: .connectTimedOut
            case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout: .answerTimedOut
            case .remoteConnectionClosed, .uncleanShutdown: .closedEarly
            case .redirectLimitReached, .redirectCycleDetected, .contentLengthMissing:
                .malformedAnswer
            default: .other
            }
        }

        private static func cause(of error: NIOConnectionError) -> Self {
            // A name can have several addresses; that the first one failed says what is wrong. Without an address the
            // name didn't resolve.
            if let first = error.connectionErrors.first { return Self(of: first.error) }
            return error.dnsAError != nil || error.dnsAAAAError != nil ? .nameNotFound : .other
        }

        private static func cause(of error: IOError) -> Self {
            switch error.errnoCode {
            case ECONNREFUSED: .connectionRefused
            case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
            case ETIMEDOUT: .connectTimedOut
            case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: .closedEarly
            default: .other
            }
        }

        private static func cause(of error: NIOSSLError) -> Self {
            switch error {
            case .uncleanShutdown: .closedEarly
            case .handshakeFailed(.sslError(let errors)) where errors.contains(.eofDuringHandshake): .closedEarly
            // BoringSSL says that the certificate was refused, and not why. ``CertificateCheck`` finds out.
            case .handshakeFailed(.sslError(let errors))
            where errors.contains(where: { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }):
                .certificateNotTrusted
            default: .tlsFailed
            }
        }
    }

    /// The failure behind an error, if a transport told one.
    package init?(in error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let error as AppleIDError:
            guard let cause = error.cause, let failure = TransportFailure(in: cause) else { return nil }
            self = failure
        default: return nil
        }
    }

    /// The host of an absolute URL, with the port if it names one.
    static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
