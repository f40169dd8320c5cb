import AppleIDTransport
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

extension TransportFailure.Cause {
    /// Finds the cause of an error of AsyncHTTPClient's or NIO's.
    init(of error: any Error) {
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
